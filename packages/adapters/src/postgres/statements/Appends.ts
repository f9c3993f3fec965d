/**
 * Versions of presets, each written by one statement.
 */
import { firstPreset, type PresetDraft, versionOf } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { buildAdvance, reasons, refusal } from "../../sql/preset/PresetAdvance.ts"
import { presets } from "../../sql/preset/PresetRows.ts"
import type { Append } from "../../sql/preset/PresetStatements.ts"
import { appendAtOnce } from "./AppendStatement.ts"

/** Writes the version of a draft. */
export const makeAppend = (sql: SqlClient.SqlClient): Append => {
  const write = appendAtOnce(sql, (row) => sql`INSERT INTO presets ${row} ${buildAdvance(sql)}`)
  return Effect.fnUntraced(function* (draft: PresetDraft) {
    const created = firstPreset(draft)
    const addition = { draft, first: created, version: versionOf(created, draft) }
    const [row] = yield* write(addition).pipe(
      Effect.catchReason("SqlError", "ConstraintError", (_, error) =>
        withoutVersion(sql, draft, error)
      )
    )
    if (row === undefined) {
      const isKeyed = Option.isSome(draft.request)
      return yield* refusal(isKeyed ? reasons.KeyTaken.make({}) : reasons.Archived.make({}))
    }
    const preset = yield* presets.read(row)
    return { preset, version: versionOf(preset, draft) }
  })
}

/** A broken reference although the workspace exists: the record of a key has no version. */
const withoutVersion = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { request, workspaceId }: PresetDraft,
  error: SqlError.SqlError
) {
  if (Option.isNone(request)) return yield* error
  const owners = yield* sql`SELECT id FROM workspaces WHERE id = ${workspaceId}`
  return yield* owners.length === 0 ? error : refusal(reasons.Archived.make({}))
})

/** Writes preset versions, each with one statement. */
import type { PresetStoreError } from "@verbatim/core/ports"
import {
  createPresetFromDraft,
  type PresetCondition,
  type PresetDraft,
  versionOf
} from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { buildNextVersion, checkCondition, reasons, refusal } from "../../sql/preset/NextVersion.ts"
import * as PresetKeyRows from "../../sql/preset/PresetKeyRows.ts"
import { presets } from "../../sql/preset/PresetRows.ts"
import type { Append } from "../../sql/preset/PresetStatements.ts"
import { keyLock, keyLockOf, makeAppendStatement } from "./AppendStatement.ts"
import { serverTime } from "./ServerTime.ts"

/** Makes the method that writes the version of a draft. */
export const makeAppend = (sql: SqlClient.SqlClient): Append => {
  const writing = (stage: boolean) =>
    makeAppendStatement(sql, {
      advance: (row) =>
        sql`INSERT INTO verbatim_presets ${row} ${buildNextVersion(sql, { stage })}`,
      stage
    })
  const [designate, stage] = [writing(false), writing(true)]
  /**
   * Postgres refuses all further statements of a transaction after one has failed, but another
   * statement must still read the reason for the failure.
   */
  const inSavepoint = <A, E>(write: Effect.Effect<A, E>) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (around) =>
      Option.isSome(around) ? sql.withTransaction(write) : write
    )
  const append = Effect.fnUntraced(function* (draft: PresetDraft) {
    const created = createPresetFromDraft(draft)
    const addition = { draft, first: created, version: versionOf(created, draft) }
    const write = draft.stage ? stage(addition) : designate(addition)
    const [row] = yield* (Option.isSome(draft.request) ? inSavepoint(write) : write).pipe(
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

  /**
   * A missing preset has no row to lock. If another process has created it in the meantime, its id
   * differs.
   */
  const appendIf = Effect.fnUntraced(function* (draft: PresetDraft, condition: PresetCondition) {
    const keyLockClause = Option.match(draft.request, {
      onNone: () => sql.literal(""),
      onSome: ({ key }) => sql`CROSS JOIN ${keyLock(sql, keyLockOf(draft, key))}`
    })
    yield* checkCondition(sql, {
      ...draft,
      condition,
      keyLockClause,
      lock: "FOR UPDATE OF verbatim_presets"
    }).pipe(Effect.catchTag("PresetStoreError", (error) => unlessTaken(sql, draft, error)))
    const made = yield* append(draft)
    const isOfAnother = condition.noneMatch === "any" && made.preset.id !== draft.presetId
    return isOfAnother ? yield* refusal(reasons.ConditionFailed.make({ unmet: "Exists" })) : made
  }, sql.withTransaction)

  return (draft) =>
    draft.condition === undefined ? append(draft) : appendIf(draft, draft.condition)
}

/** If the key is taken, this is reported instead of a failed condition. */
const unlessTaken = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { request, workspaceId }: PresetDraft,
  error: PresetStoreError
) {
  if (Option.isNone(request)) return yield* error
  const { key } = request.value
  const made = yield* PresetKeyRows.find(sql, { workspaceId, key, time: serverTime })
  return yield* Option.isSome(made) ? refusal(reasons.KeyTaken.make({})) : error
})

/**
 * If a reference is broken although the workspace exists, it is the reference from a key's record
 * to a missing version.
 */
const withoutVersion = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { request, workspaceId }: PresetDraft,
  error: SqlError.SqlError
) {
  if (Option.isNone(request)) return yield* error
  const owners = yield* sql`SELECT id FROM verbatim_workspaces WHERE id = ${workspaceId}`
  return yield* owners.length === 0 ? error : refusal(reasons.Archived.make({}))
})

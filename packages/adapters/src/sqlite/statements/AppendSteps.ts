/**
 * Versions of presets: a statement for each row.
 */
import { designationOf, firstPreset, type PresetDraft, versionOf } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { buildAdvance, checkCondition, reasons, refusal } from "../../sql/preset/PresetAdvance.ts"
import * as PresetKeyRows from "../../sql/preset/PresetKeyRows.ts"
import { designationRow, presets, presetVersions } from "../../sql/preset/PresetRows.ts"
import type { Append } from "../../sql/preset/PresetStatements.ts"
import type { Row } from "../../sql/row/Row.ts"
import { withSharedCommit } from "../../sql/session/Transactions.ts"
import { localTime as time } from "./LocalTime.ts"

/** Writes the version of a draft, in a transaction in which nobody else writes. */
export const makeAppend = (sql: SqlClient.SqlClient): Append => {
  const advance = buildAdvance(sql, { stage: false })
  const advanceStaged = buildAdvance(sql, { stage: true })
  return Effect.fnUntraced(function* (draft: PresetDraft) {
    const { condition, request, stage, workspaceId } = draft
    if (Option.isSome(request)) {
      const { key } = request.value
      const made = yield* PresetKeyRows.find(sql, { workspaceId, key, time })
      if (Option.isSome(made)) return yield* refusal(reasons.KeyTaken.make({}))
    }
    if (condition !== undefined) yield* checkCondition(sql, { ...draft, condition })
    // Makes the preset, or counts its next version.
    const first = sql.insert(presets.row(firstPreset(draft)))
    const [row] = yield* sql<Row>`INSERT INTO presets ${first} ${stage ? advanceStaged : advance}`
    if (row === undefined) return yield* refusal(reasons.Archived.make({}))
    const preset = yield* presets.read(row)
    const version = versionOf(preset, draft)
    yield* sql`INSERT INTO preset_versions ${sql.insert(presetVersions.row(version))}`
    const designation = designationOf(preset, draft)
    if (Option.isSome(designation)) {
      const row = designationRow(designation.value)
      yield* sql`INSERT INTO preset_designations ${sql.insert(row)}`
    }
    if (Option.isSome(request)) {
      yield* PresetKeyRows.insert(sql, { draft, request: request.value, time })
    }
    return { preset, version }
  }, withSharedCommit(sql))
}

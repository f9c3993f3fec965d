/** Writes preset versions with one statement per row. */
import {
  createPresetFromDraft,
  designationOf,
  type PresetDraft,
  versionOf
} from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { buildNextVersion, checkCondition, reasons, refusal } from "../../sql/preset/NextVersion.ts"
import { count } from "../../sql/preset/PresetCounts.ts"
import * as PresetKeyRows from "../../sql/preset/PresetKeyRows.ts"
import {
  designationNames,
  designationRow,
  presets,
  presetVersions
} from "../../sql/preset/PresetRows.ts"
import type { Append } from "../../sql/preset/PresetStatements.ts"
import { rowStatement } from "../../sql/row/RowStatements.ts"
import { withSharedCommit } from "../../sql/session/Sessions.ts"
import { localTime as time } from "./Reads.ts"

const makeAdvance = (sql: SqlClient.SqlClient, stage: boolean) =>
  rowStatement(sql, {
    columns: presets.names,
    statement: (row) => sql`INSERT INTO verbatim_presets ${row} ${buildNextVersion(sql, { stage })}`
  })

const makeInserts = (sql: SqlClient.SqlClient) => ({
  /** Creates the preset, or increments its version number. */
  advance: makeAdvance(sql, false),
  advanceStaged: makeAdvance(sql, true),
  insertVersion: rowStatement(sql, {
    columns: presetVersions.names,
    statement: (version) => sql`INSERT INTO verbatim_preset_versions ${version}`
  }),
  insertDesignation: rowStatement(sql, {
    columns: designationNames,
    statement: (designation) => sql`INSERT INTO verbatim_preset_designations ${designation}`
  })
})

/** Makes the method that writes a draft's version, in a transaction that excludes other writers. */
export const makeAppend = (sql: SqlClient.SqlClient): Append => {
  const { advance, advanceStaged, insertDesignation, insertVersion } = makeInserts(sql)
  return Effect.fnUntraced(function* (draft: PresetDraft) {
    const { condition, request, workspaceId } = draft
    if (Option.isSome(request)) {
      const { key } = request.value
      const made = yield* PresetKeyRows.find(sql, { workspaceId, key, time })
      if (Option.isSome(made)) return yield* refusal(reasons.KeyTaken.make({}))
    }
    if (condition !== undefined) yield* checkCondition(sql, { ...draft, condition })
    const first = presets.row(createPresetFromDraft(draft))
    const [row] = yield* draft.stage ? advanceStaged(first) : advance(first)
    if (row === undefined) return yield* refusal(reasons.Archived.make({}))
    const preset = yield* presets.read(row)
    if (preset.latestVersion === 1) yield* count(sql, { ...preset, change: 1 })
    const version = versionOf(preset, draft)
    yield* insertVersion(presetVersions.row(version))
    const designation = designationOf(preset, draft)
    if (Option.isSome(designation)) yield* insertDesignation(designationRow(designation.value))
    if (Option.isSome(request)) {
      yield* PresetKeyRows.insert(sql, { draft, request: request.value, time })
    }
    return { preset, version }
  }, withSharedCommit(sql))
}

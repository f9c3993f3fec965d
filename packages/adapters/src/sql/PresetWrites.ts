/**
 * The two writes of a preset: another version, and a change of the preset itself. The row of the
 * preset comes first in both, so that writers of one preset wait for each other there.
 */

import { create, type Preset } from "@verbatim/core/domain/preset/Preset"
import type { PresetDraft } from "@verbatim/core/domain/preset/PresetDraft"
import type { PresetVersion } from "@verbatim/core/domain/preset/PresetVersion"
import { PresetStoreError, type Revision } from "@verbatim/core/ports/PresetStore"
import { traced } from "@verbatim/core/services/Traced"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { appendAtOnce } from "./PresetAppend.ts"
import { failing } from "./PresetFailure.ts"
import * as PresetKeyRows from "./PresetKeyRows.ts"
import {
  designationNames,
  designationRow,
  presets,
  presetVersions,
  revisedColumns
} from "./PresetRows.ts"
import { rowStatement } from "./RowStatement.ts"
import { withSharedCommit } from "./SharedCommit.ts"

const reasons = PresetStoreError.fields.reason.cases

const refusal = (reason: PresetStoreError["reason"]) =>
  new PresetStoreError({ operation: "append", reason })

const firstOf = (draft: PresetDraft): Preset =>
  create({
    id: draft.presetId,
    workspaceId: draft.workspaceId,
    slug: draft.slug,
    creatorUserId: draft.creatorId,
    versionId: draft.versionId,
    at: draft.at
  })

const versionOf = (draft: PresetDraft, preset: Preset): PresetVersion => ({
  id: preset.designatedVersionId,
  presetId: preset.id,
  version: preset.latestVersion,
  creatorId: draft.creatorId,
  systemPrompt: draft.systemPrompt,
  config: draft.config,
  createdAt: draft.at,
  updatedAt: draft.at
})

/**
 * Where there is a preset already, it counts its next version; not in a status that a newer version
 * brought, in which it may take none.
 */
const advancing = (sql: SqlClient.SqlClient): Statement.Fragment => sql`
  ON CONFLICT (workspace_id, slug) DO UPDATE SET
    revision = presets.revision + 1,
    latest_version = presets.latest_version + 1,
    designated_version = presets.latest_version + 1,
    designated_version_id = excluded.designated_version_id,
    updated_at = excluded.updated_at
  WHERE presets.status IN ('Active', 'Disabled')
  RETURNING ${sql.literal(presets.columns)}`

const inserting = (sql: SqlClient.SqlClient) => ({
  /** Makes the preset, or counts its next version. */
  advance: rowStatement(sql, {
    columns: presets.names,
    statement: (first) => sql`INSERT INTO presets ${first} ${advancing(sql)}`
  }),
  insertVersion: rowStatement(sql, {
    columns: presetVersions.names,
    statement: (version) => sql`INSERT INTO preset_versions ${version}`
  }),
  insertDesignation: rowStatement(sql, {
    columns: designationNames,
    statement: (designation) => sql`INSERT INTO preset_designations ${designation}`
  })
})

/** A statement for each row, in a transaction in which nobody else writes. */
const appendInSteps = (sql: SqlClient.SqlClient) => {
  const { advance, insertDesignation, insertVersion } = inserting(sql)
  return Effect.fnUntraced(function* (draft: PresetDraft) {
    const { request, workspaceId } = draft
    if (Option.isSome(request)) {
      const { key } = request.value
      const first = yield* PresetKeyRows.find(sql, { workspaceId, key })
      if (Option.isSome(first)) return yield* refusal(reasons.KeyTaken.make({}))
    }
    const [row] = yield* advance(presets.row(firstOf(draft)))
    if (row === undefined) return yield* refusal(reasons.Archived.make({}))
    const preset = yield* presets.read(row)
    const version = versionOf(draft, preset)
    yield* insertVersion(presetVersions.row(version))
    const designation = designationRow({
      presetId: preset.id,
      revision: preset.revision,
      to: version.version,
      by: draft.creatorId,
      at: draft.at
    })
    yield* insertDesignation(designation)
    if (Option.isSome(request)) yield* PresetKeyRows.insert(sql, draft, request.value)
    return { preset, version }
  }, withSharedCommit(sql))
}

/** One statement. */
const appendTogether = (sql: SqlClient.SqlClient) => {
  const write = appendAtOnce(sql, (first) => sql`INSERT INTO presets ${first} ${advancing(sql)}`)
  return Effect.fnUntraced(function* (draft: PresetDraft) {
    const first = firstOf(draft)
    const [row] = yield* write({ draft, first, version: versionOf(draft, first) }).pipe(
      Effect.catchReason("SqlError", "ConstraintError", (_, error) =>
        withoutVersion(sql, draft, error)
      )
    )
    if (row === undefined) {
      const isKeyed = Option.isSome(draft.request)
      return yield* refusal(isKeyed ? reasons.KeyTaken.make({}) : reasons.Archived.make({}))
    }
    const preset = yield* presets.read(row)
    return { preset, version: versionOf(draft, preset) }
  })
}

/** A reference to nothing in a workspace that is there: the record of a key has no version. */
const withoutVersion = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { request, workspaceId }: PresetDraft,
  error: SqlError.SqlError
) {
  if (Option.isNone(request)) return yield* error
  const owners = yield* sql`SELECT id FROM workspaces WHERE id = ${workspaceId}`
  return yield* owners.length === 0 ? error : refusal(reasons.Archived.make({}))
})

type Failure = SqlError.SqlError | PresetStoreError

/** Whether the draft may be there already. */
const isRefused = (error: Failure): boolean =>
  error._tag === "PresetStoreError" || error.reason._tag === "UniqueViolation"

/** Keyed versions of a process for each sweep: who brings one pays for a tenth of a statement. */
const sweepEvery = 10

/** Adds a version. Numbers are given by the row of the preset: whoever has it has the next one. */
export const appending = (sql: SqlClient.SqlClient) => {
  const write = sql.onDialectOrElse({
    pg: () => appendTogether(sql),
    orElse: () => appendInSteps(sql)
  })

  /** A draft that is there already is refused as well: then its version is the answer. */
  const refused = (draft: PresetDraft, error: Failure) =>
    Effect.flatMap(
      PresetKeyRows.findDrafted(sql, draft.versionId),
      Option.match({ onNone: () => Effect.fail(error), onSome: Effect.succeed })
    )

  let keyedCount = 0
  const sweepNowAndThen = Effect.suspend(() =>
    keyedCount++ % sweepEvery === 0 ? Effect.ignore(PresetKeyRows.sweep(sql)) : Effect.void
  )

  return traced("SqlPresetStore.append")(function* (draft: PresetDraft) {
    const written = yield* write(draft).pipe(
      Effect.catchIf(isRefused, (error) => refused(draft, error))
    )
    if (Option.isSome(draft.request)) yield* sweepNowAndThen
    return written
  }, failing("append"))
}

/** Replaces what may change in the row of a preset, if nobody else has changed it since. */
export const revising = (sql: SqlClient.SqlClient) =>
  traced("SqlPresetStore.revise")(
    function* ({ designation, expectedRevision, id, next }: Revision) {
      const revised = yield* sql`UPDATE presets SET ${sql.update(revisedColumns(next))}
        WHERE id = ${next.id} AND revision = ${expectedRevision} RETURNING id`
      if (revised.length === 0) {
        const made = yield* sql`SELECT id FROM preset_changes WHERE id = ${id}`
        if (made.length > 0) return
        const reason = reasons.Superseded.make({})
        return yield* new PresetStoreError({ operation: "revise", reason })
      }
      const change = { id, preset_id: next.id, revision: next.revision }
      yield* sql`INSERT INTO preset_changes ${sql.insert(change)}`
      if (Option.isNone(designation)) return
      yield* sql`INSERT INTO preset_designations ${sql.insert(designationRow(designation.value))}`
    },
    withSharedCommit(sql),
    failing("revise")
  )

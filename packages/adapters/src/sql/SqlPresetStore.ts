/**
 * Presets and their versions in SQL.
 */
import { type PresetDraft, PresetStore, PresetStoreError } from "@verbatim/core/ports/PresetStore"
import type { DesignatedPreset } from "@verbatim/core/preset/DesignatedPreset"
import { create, Preset } from "@verbatim/core/preset/Preset"
import { PresetConfig } from "@verbatim/core/preset/PresetConfig"
import type { PresetId } from "@verbatim/core/preset/PresetId"
import type { PresetSlug } from "@verbatim/core/preset/PresetSlug"
import { PresetVersion } from "@verbatim/core/preset/PresetVersion"
import type { WorkspaceId } from "@verbatim/core/workspace/Workspace"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { json, type Row, table } from "./Row.ts"

const presets = table({
  name: "presets",
  schema: Preset,
  columns: {
    _tag: "status",
    id: "id",
    workspaceId: "workspace_id",
    slug: "slug",
    name: "name",
    description: "description",
    creatorUserId: "creator_user_id",
    latestVersion: "latest_version",
    designatedVersion: "designated_version",
    designatedVersionId: "designated_version_id",
    statusUpdatedAt: "status_updated_at",
    createdAt: "created_at",
    updatedAt: "updated_at"
  }
})

const presetVersions = table({
  name: "preset_versions",
  schema: Schema.Struct({ ...PresetVersion.fields, config: json(PresetConfig) }),
  columns: {
    id: "id",
    presetId: "preset_id",
    version: "version",
    creatorId: "creator_id",
    systemPrompt: "system_prompt",
    config: "config",
    createdAt: "created_at",
    updatedAt: "updated_at"
  }
})

const reasons = PresetStoreError.fields.reason.cases

/** What the database's refusal means. */
const reasonOf = (cause: SqlError.SqlError): PresetStoreError["reason"] => {
  switch (cause.reason._tag) {
    // Uniqueness has a tag of its own, and the workspace is the only reference of a preset.
    case "ConstraintError":
      return reasons.WorkspaceMissing.make({})
    case "LockTimeoutError":
    case "SerializationError":
    case "DeadlockError":
      return reasons.Contended.make({})
    default:
      return reasons.Unavailable.make({ cause })
  }
}

const failing = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError | PresetStoreError) =>
    cause._tag === "SqlError" ? new PresetStoreError({ operation, reason: reasonOf(cause) }) : cause
  )

const firstOf = (draft: PresetDraft): Preset =>
  create({
    id: draft.presetId,
    workspaceId: draft.workspaceId,
    slug: draft.slug,
    creatorUserId: draft.creatorId,
    versionId: draft.versionId,
    at: draft.at
  })

const versionOf = ({ at, config, creatorId, systemPrompt }: PresetDraft, preset: Preset) =>
  PresetVersion.make({
    id: preset.designatedVersionId,
    presetId: preset.id,
    version: preset.latestVersion,
    creatorId,
    systemPrompt,
    config,
    createdAt: at,
    updatedAt: at
  })

/** The store over any `SqlClient` whose database is migrated. */
export const layer: Layer.Layer<PresetStore, never, SqlClient.SqlClient> = Layer.effect(
  PresetStore
)(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const presetColumns = sql.literal(presets.columns)
    const versionColumns = sql.literal(presetVersions.columns)

    /** The row of the preset is the counter of its versions: whoever has it has the next number. */
    const advance = (first: Preset) =>
      sql<Row>`INSERT INTO presets ${sql.insert(presets.row(first))}
        ON CONFLICT (workspace_id, slug) DO UPDATE SET
          latest_version = presets.latest_version + 1,
          designated_version = presets.latest_version + 1,
          designated_version_id = excluded.designated_version_id,
          updated_at = excluded.updated_at
        WHERE presets.status <> 'Archived'
        RETURNING ${presetColumns}`

    const append = Effect.fn("SqlPresetStore.append")(
      function* (draft: PresetDraft) {
        const operation = "append"
        const [row] = yield* advance(firstOf(draft))
        if (row === undefined) {
          return yield* new PresetStoreError({ operation, reason: reasons.Archived.make({}) })
        }
        const preset = yield* presets.read(row)
        const version = versionOf(draft, preset)
        yield* sql`INSERT INTO preset_versions ${sql.insert(presetVersions.row(version))}`
        return { preset, version }
      },
      sql.withTransaction,
      failing("append")
    )

    const designated = Effect.fnUntraced(function* (row: Row): Effect.fn.Return<DesignatedPreset> {
      return { preset: yield* presets.read(row), version: yield* presetVersions.read(row) }
    })

    const find = Effect.fn("SqlPresetStore.find")(function* (
      workspaceId: WorkspaceId,
      slug: PresetSlug
    ) {
      const [row] = yield* sql<Row>`SELECT ${presetColumns}, ${versionColumns} FROM presets
        JOIN preset_versions ON preset_versions.id = presets.designated_version_id
        WHERE presets.workspace_id = ${workspaceId} AND presets.slug = ${slug}`.pipe(
        failing("find")
      )
      return row === undefined ? Option.none() : Option.some(yield* designated(row))
    })

    const versions = Effect.fn("SqlPresetStore.versions")(function* (presetId: PresetId) {
      const rows = yield* sql<Row>`SELECT ${versionColumns} FROM preset_versions
        WHERE preset_id = ${presetId} ORDER BY version`.pipe(failing("versions"))
      return yield* Effect.forEach(rows, presetVersions.read)
    })

    return PresetStore.of({ append, find, versions })
  })
)

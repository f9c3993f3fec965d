/**
 * How presets, their versions and their designations look in their rows.
 */
import type { Page } from "@verbatim/core/ports/PresetStore"
import { Designation } from "@verbatim/core/preset/Designation"
import { Preset } from "@verbatim/core/preset/Preset"
import { PresetConfig } from "@verbatim/core/preset/PresetConfig"
import { PresetVersion } from "@verbatim/core/preset/PresetVersion"
import { DateTime, Effect, Schema, Struct } from "effect"
import { json, type Row, reading, table } from "./Row.ts"

/** The rows of `presets`. */
export const presets = table({
  name: "presets",
  schema: Preset,
  columns: {
    _tag: "status",
    id: "id",
    workspaceId: "workspace_id",
    slug: "slug",
    revision: "revision",
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

/** What of its row a preset may change; the rest is as it was when the row was made. */
export const revisedColumns = (preset: Preset): Row =>
  Struct.omit(presets.row(preset), [
    "id",
    "workspace_id",
    "slug",
    "creator_user_id",
    "latest_version",
    "created_at"
  ])

/** The rows of `preset_versions`. */
export const presetVersions = table({
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

/** The columns of `preset_designations`. */
export const designationNames = ["preset_id", "revision", "version", "user_id", "at"] as const

/** The row of a designation, which knows the one before it by its place. */
export const designationRow = ({
  at,
  by,
  presetId,
  revision,
  to
}: Omit<Designation, "from">): Row => ({
  preset_id: presetId,
  revision,
  version: to,
  user_id: by,
  at: DateTime.toEpochMillis(at)
})

/** The columns of a designation, called by its fields. */
export const designationColumns =
  'preset_id AS "presetId", revision, version AS "to", user_id AS "by", at'

/** A page of designations takes one row before it, which says what was designated until then. */
export const withRowBefore = ({ limit, offset }: Page): Page =>
  offset === 0 ? { limit, offset } : { limit: limit + 1, offset: offset - 1 }

const readDesignation = reading(Designation)

/** Reads the rows of a page that was widened by `withRowBefore`. */
export const readDesignations = (rows: ReadonlyArray<Row>, { offset }: Page) =>
  Effect.map(
    Effect.forEach(rows, (row, index) =>
      readDesignation(
        { ...row, from: rows[index - 1]?.to ?? null },
        `preset_designations ${row.presetId} ${row.revision}`
      )
    ),
    (designations) => designations.slice(offset === 0 ? 0 : 1)
  )

/** Reads how many there are. */
export const readCount = reading(Schema.Int)

/**
 * A preset as the wire shows it, with its designated version. Every field is always present.
 */
import { DateTime, Schema } from "effect"
import type { DesignatedPreset } from "./DesignatedPreset.ts"
import type { State } from "./Preset.ts"
import { PresetConfig } from "./PresetConfig.ts"
import type { PresetVersion } from "./PresetVersion.ts"

/** ISO 8601 in UTC with milliseconds. */
const timestamp = Schema.String

/** The values of `status`. */
export const PresetStatus = Schema.Literals(["active", "disabled", "archived"])
export type PresetStatus = typeof PresetStatus.Type

/** A version of a preset. */
export const PresetVersionView = Schema.Struct({
  id: Schema.String,
  preset_id: Schema.String,
  version: Schema.Int,
  creator_id: Schema.String,
  system_prompt: Schema.NullOr(Schema.String),
  config: PresetConfig,
  created_at: timestamp,
  updated_at: timestamp
})
export type PresetVersionView = typeof PresetVersionView.Type

/** A preset. */
export const PresetView = Schema.Struct({
  id: Schema.String,
  slug: Schema.String,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  status: PresetStatus,
  status_updated_at: Schema.NullOr(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
  creator_user_id: Schema.NullOr(Schema.String),
  workspace_id: Schema.NullOr(Schema.String),
  designated_version_id: Schema.NullOr(Schema.String),
  designated_version: Schema.NullOr(PresetVersionView)
})
export type PresetView = typeof PresetView.Type

const statuses: Readonly<Record<State["_tag"], PresetStatus>> = {
  Active: "active",
  Disabled: "disabled",
  Archived: "archived"
}

const versionView = (version: PresetVersion): PresetVersionView => ({
  id: version.id,
  preset_id: version.presetId,
  version: version.version,
  creator_id: version.creatorId,
  system_prompt: version.systemPrompt,
  config: version.config,
  created_at: DateTime.formatIso(version.createdAt),
  updated_at: DateTime.formatIso(version.updatedAt)
})

/** The view of a preset and its designated version. */
export const toView = ({ preset, version }: DesignatedPreset): PresetView => ({
  id: preset.id,
  slug: preset.slug,
  name: preset.name,
  description: preset.description,
  status: statuses[preset._tag],
  status_updated_at:
    preset.statusUpdatedAt === null ? null : DateTime.formatIso(preset.statusUpdatedAt),
  created_at: DateTime.formatIso(preset.createdAt),
  updated_at: DateTime.formatIso(preset.updatedAt),
  creator_user_id: preset.creatorUserId,
  workspace_id: preset.workspaceId,
  designated_version_id: preset.designatedVersionId,
  designated_version: versionView(version)
})

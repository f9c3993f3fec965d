/**
 * Converts presets and versions to their JSON form in responses. Every field is always present,
 * except the comment and the erasure, which few versions have.
 */
import { variablesOf } from "@verbatim/resolution"
import { DateTime, Schema } from "effect"
import { toWireFormat, WireFormat } from "../request/RequestFormat.ts"
import type { UserId } from "../workspace/Workspace.ts"
import type { Preset } from "./Preset.ts"
import { PresetStatus, statuses } from "./PresetChange.ts"
import { listLabels } from "./PresetLabels.ts"
import { PresetConfig, type PresetVersion } from "./PresetVersion.ts"
import type { DesignatedPreset } from "./VersionSelector.ts"

/** A timestamp in a response: ISO 8601 in UTC with milliseconds. */
const timestamp = Schema.String.annotate({ format: "date-time" })

const uuid = Schema.String.annotate({ format: "uuid" })

/** A version of a preset, as responses show it. */
export const PresetVersionView = Schema.Struct({
  id: uuid,
  preset_id: uuid,
  version: Schema.Int,
  creator_id: Schema.String,
  system_prompt: Schema.NullOr(Schema.String),
  config: PresetConfig,
  created_at: timestamp,
  updated_at: timestamp,
  comment: Schema.optionalKey(
    Schema.String.annotate({ description: "The author's comment, if there is one." })
  ),
  erased_at: Schema.optionalKey(
    timestamp.annotate({
      description: "The time when the content was erased; missing if it was not erased."
    })
  ),
  erased_by: Schema.optionalKey(
    Schema.String.annotate({ description: "The user who erased the content." })
  )
}).annotate({ identifier: "PresetVersion" })
export type PresetVersionView = typeof PresetVersionView.Type

/** The names of the variables in a system prompt. */
export const Variables = Schema.Array(Schema.String).annotate({
  description: "The variables of the system prompt, such as `{{customer}}`, in order."
})

/** The fields that take precedence over a request's own fields. */
export const Wins = Schema.Array(Schema.String).annotate({
  description: "The names of the config fields that take precedence over a request's own fields."
})

/** A version in a response for one version or a list of versions. */
export const FullVersionView = Schema.Struct({
  ...PresetVersionView.fields,
  format: WireFormat.annotate({
    description: "The format of the request that created the version."
  }),
  variables: Variables,
  wins: Wins
}).annotate({ identifier: "FullPresetVersion" })
export type FullVersionView = typeof FullVersionView.Type

/** The fields that a preset has in every response. */
const shared = {
  id: uuid,
  slug: Schema.String,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  status: PresetStatus,
  status_updated_at: Schema.NullOr(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
  creator_user_id: Schema.NullOr(Schema.String),
  workspace_id: Schema.NullOr(uuid),
  designated_version_id: Schema.NullOr(uuid)
}

/** A preset in a list, without its designated version. */
export const ListedPresetView = Schema.Struct({
  ...shared,
  designated_version_number: Schema.Int,
  latest_version_number: Schema.Int.annotate({
    description: "The latest version's number, which is also the number of versions."
  }),
  latest_creator_id: Schema.String.annotate({
    description: "The user who created the latest version."
  }),
  labels: Schema.Array(Schema.Struct({ label: Schema.String, version: Schema.Int })).annotate({
    description: "The labels with the versions they point to, in alphabetical order."
  })
})
export type ListedPresetView = typeof ListedPresetView.Type

/** A preset with its designated version. */
export const PresetView = Schema.Struct({
  ...shared,
  designated_version: Schema.NullOr(PresetVersionView)
})
export type PresetView = typeof PresetView.Type

/** Converts a preset version to its response form. */
export const toVersionView = (version: PresetVersion): PresetVersionView => ({
  id: version.id,
  preset_id: version.presetId,
  version: version.version,
  creator_id: version.creatorId,
  system_prompt: version.systemPrompt,
  config: version.config,
  created_at: DateTime.formatIso(version.createdAt),
  updated_at: DateTime.formatIso(version.updatedAt),
  ...(version.comment === null ? {} : { comment: version.comment }),
  ...(version.erased === null
    ? {}
    : { erased_at: DateTime.formatIso(version.erased.at), erased_by: version.erased.by })
})

/**
 * Converts a preset version to its response form, with its format, its variables and the fields
 * that take precedence over requests.
 */
export const toFullVersionView = (version: PresetVersion): FullVersionView => ({
  ...toVersionView(version),
  format: toWireFormat(version.format),
  variables: variablesOf(version.systemPrompt),
  wins: version.wins
})

const toSharedFields = (preset: Preset) => ({
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
  designated_version_id: preset.designatedVersionId
})

/** Converts a preset to its entry in a list. */
export const toListedView = (
  preset: Preset & { readonly latestCreatorId: UserId }
): ListedPresetView => ({
  ...toSharedFields(preset),
  designated_version_number: preset.designatedVersion,
  latest_version_number: preset.latestVersion,
  latest_creator_id: preset.latestCreatorId,
  labels: listLabels(preset.labels).map(({ name, version }) => ({ label: name, version }))
})

/** Converts a preset, with its designated version, to its response form. */
export const toView = ({ preset, version }: DesignatedPreset): PresetView => ({
  ...toSharedFields(preset),
  designated_version: toVersionView(version)
})

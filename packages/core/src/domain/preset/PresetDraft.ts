/**
 * The draft of a version. A draft with a new slug creates the preset, and its version is
 * designated. Any other draft becomes its preset's next version, which is designated unless the
 * draft is only staged.
 */
import { type DateTime, Option, Result } from "effect"
import type { IdempotencyKey } from "../idempotency/IdempotencyKey.ts"
import type { FormatName } from "../request/RequestFormat.ts"
import type { UserId, WorkspaceId } from "../workspace/Workspace.ts"
import type { Designation } from "./Designation.ts"
import { Event, type Preset, State, transition } from "./Preset.ts"
import type { PresetCondition } from "./PresetRefusal.ts"
import type { PresetSlug } from "./PresetSlug.ts"
import type { PresetConfig, PresetId, PresetVersion, PresetVersionId } from "./PresetVersion.ts"
import { type DesignatedPreset, toDesignatedPreset } from "./VersionSelector.ts"

/** A request with an idempotency key, which a client can retry. */
export interface KeyedRequest {
  readonly key: IdempotencyKey
  /** Hex SHA-256 of everything that makes the request different from others. */
  readonly fingerprint: string
}

/** A version without a number, which the store assigns. */
export interface PresetDraft {
  readonly workspaceId: WorkspaceId
  readonly slug: PresetSlug
  /** The id of the preset, if it is new. */
  readonly presetId: PresetId
  /**
   * The id of the version. The draft becomes only one version, no matter how often it is appended.
   */
  readonly versionId: PresetVersionId
  readonly creatorId: UserId
  /** The format of the request. */
  readonly format: FormatName
  readonly systemPrompt: string | null
  readonly config: PresetConfig
  /** The names of the `config` fields that take precedence over a request's own fields. */
  readonly wins: ReadonlyArray<string>
  /** The author's comment on the version. */
  readonly comment: string | null
  /**
   * Whether the version is stored without being designated. The first version of a preset is always
   * designated.
   */
  readonly stage: boolean
  readonly at: DateTime.Utc
  /** The request, if it had an idempotency key. */
  readonly request: Option.Option<KeyedRequest>
  /** A condition that the preset must meet for the version to be added. */
  readonly condition?: PresetCondition | undefined
}

/**
 * Creates the preset for a draft with a new slug. The preset is active, and named after the slug.
 */
export const createPresetFromDraft = (draft: PresetDraft): Preset =>
  State.cases.Active.make({
    id: draft.presetId,
    workspaceId: draft.workspaceId,
    slug: draft.slug,
    revision: 1,
    name: draft.slug,
    description: null,
    creatorUserId: draft.creatorId,
    latestVersion: 1,
    designatedVersion: 1,
    designatedVersionId: draft.versionId,
    labels: {},
    statusUpdatedAt: null,
    createdAt: draft.at,
    updatedAt: draft.at
  })

/** Returns the preset with one more version; none if the preset is archived. */
export const withNextVersion = (
  preset: Preset,
  { at, stage, versionId }: Pick<PresetDraft, "at" | "stage" | "versionId">
): Option.Option<Preset> => {
  const { VersionAdded, VersionStaged } = Event.cases
  const event = stage ? VersionStaged.make({ at, versionId }) : VersionAdded.make({ at, versionId })
  return Result.getSuccess(transition(preset, event))
}

/** Returns the version created from a draft: the latest version of `preset`. */
export const versionOf = (preset: Preset, draft: PresetDraft): PresetVersion => ({
  id: draft.versionId,
  presetId: preset.id,
  version: preset.latestVersion,
  creatorId: draft.creatorId,
  format: draft.format,
  systemPrompt: draft.systemPrompt,
  config: draft.config,
  wins: draft.wins,
  comment: draft.comment,
  erased: null,
  createdAt: draft.at,
  updatedAt: draft.at
})

/**
 * Returns the entry in the designation history; none if the version was only staged. The store adds
 * the previously designated version.
 */
export const designationOf = (
  { designatedVersion, designatedVersionId, id, revision }: Preset,
  draft: PresetDraft
): Option.Option<Omit<Designation, "from">> =>
  designatedVersionId === draft.versionId
    ? Option.some({
        presetId: id,
        revision,
        to: designatedVersion,
        by: draft.creatorId,
        at: draft.at
      })
    : Option.none()

/**
 * Returns the result of a retry: the current preset, and the version that the draft created, shown
 * as designated if the draft designated it.
 */
export const answerRepeat = (
  { stage }: Pick<PresetDraft, "stage">,
  { preset, version }: DesignatedPreset
): DesignatedPreset =>
  stage && version.version > 1 ? { preset, version } : toDesignatedPreset(preset, version)

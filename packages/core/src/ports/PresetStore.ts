/**
 * Port: durable memory of presets and their versions. One atomic verb for each change; what a verb
 * means is the pure machine in `preset/Preset.ts`, and the contract suite replays it against that.
 */
import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import type { DesignatedPreset } from "../preset/DesignatedPreset.ts"
import type { PresetConfig } from "../preset/PresetConfig.ts"
import type { PresetId } from "../preset/PresetId.ts"
import type { PresetSlug } from "../preset/PresetSlug.ts"
import type { PresetVersion, PresetVersionId } from "../preset/PresetVersion.ts"
import type { UserId, WorkspaceId } from "../workspace/Workspace.ts"

/** What went wrong in a `PresetStore`. */
export class PresetStoreError extends Schema.TaggedError<PresetStoreError>()("PresetStoreError", {
  operation: Schema.String,
  reason: Schema.TaggedUnion({
    /** The store did not answer; the write may or may not have happened. */
    Unavailable: { cause: Schema.Defect() },
    /** The write could not be serialised within the adapter's own retries. Nothing was written. */
    Contended: {},
    /** The preset is archived and takes no version. Nothing was written. */
    Archived: {},
    /** The workspace does not exist. Nothing was written. */
    WorkspaceMissing: {}
  })
}) {
  override get message(): string {
    return `${this.operation}: ${this.reason._tag}`
  }
  /** What the driver said, for the log. */
  override get cause(): unknown {
    return this.reason._tag === "Unavailable" ? this.reason.cause : undefined
  }
}

/** A version to be, whose number the store gives. */
export interface PresetDraft {
  readonly workspaceId: WorkspaceId
  readonly slug: PresetSlug
  /** The id of the preset, should it be new. */
  readonly presetId: PresetId
  readonly versionId: PresetVersionId
  readonly creatorId: UserId
  readonly systemPrompt: string | null
  readonly config: PresetConfig
  readonly at: DateTime.Utc
}

export class PresetStore extends Context.Service<
  PresetStore,
  {
    /**
     * Adds a version to the preset with that slug, creating the preset (active, named like its
     * slug) when there is none, and designates it. One atomic act: under any number of writers the
     * versions of a preset are 1, 2, 3 … without gaps or repeats, and its designated version is the
     * latest one. Slugs are compared byte by byte. A failed call leaves nothing behind, but
     * `Unavailable` may have written; a repeat then adds another version.
     */
    readonly append: (draft: PresetDraft) => Effect.Effect<DesignatedPreset, PresetStoreError>
    /** The preset with that slug in that workspace; none when there is none. */
    readonly find: (
      workspaceId: WorkspaceId,
      slug: PresetSlug
    ) => Effect.Effect<Option.Option<DesignatedPreset>, PresetStoreError>
    /** All versions of a preset, oldest first. */
    readonly versions: (
      presetId: PresetId
    ) => Effect.Effect<ReadonlyArray<PresetVersion>, PresetStoreError>
  }
>()("@verbatim/core/ports/PresetStore") {}

/**
 * Port: durable memory of presets, their versions, and which version was designated when. What a
 * change means is decided by the pure machine in `preset/Preset.ts`; the contract suite replays
 * every run against it.
 */
import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import type { IdempotencyKey } from "../domain/idempotency/IdempotencyKey.ts"
import type { DesignatedPreset } from "../domain/preset/DesignatedPreset.ts"
import type { Designation } from "../domain/preset/Designation.ts"
import type { Preset } from "../domain/preset/Preset.ts"
import type { PresetChangeId } from "../domain/preset/PresetChangeId.ts"
import { Unmet } from "../domain/preset/PresetCondition.ts"
import type { PresetDraft } from "../domain/preset/PresetDraft.ts"
import type { PresetId } from "../domain/preset/PresetId.ts"
import type { PresetSlug } from "../domain/preset/PresetSlug.ts"
import type { PresetVersion } from "../domain/preset/PresetVersion.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"

/** What went wrong in a `PresetStore`. */
export class PresetStoreError extends Schema.TaggedError<PresetStoreError>()("PresetStoreError", {
  operation: Schema.String,
  reason: Schema.TaggedUnion({
    /** The store did not answer; the write may or may not have happened. */
    Unavailable: { cause: Schema.Defect() },
    /** The write could not be serialised within the adapter's own retries. Nothing was written. */
    Contended: {},
    /** Somebody else changed the preset since it was read. Nothing was written. */
    Superseded: {},
    /** The preset is archived and takes no version. Nothing was written. */
    Archived: {},
    /** The idempotency key stands for another version. Nothing was written. */
    KeyTaken: {},
    /** The condition of the draft does not hold. Nothing was written. */
    ConditionFailed: { unmet: Unmet },
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

/** What the first request under a key made. */
export interface Made {
  readonly fingerprint: string
  /** The preset as it is now, shown with the version that was made. */
  readonly made: DesignatedPreset
}

/** A change of one preset, decided on `expectedRevision`. */
export interface Revision {
  /** Names the change: it is made once, however often it is written. */
  readonly id: PresetChangeId
  readonly next: Preset
  readonly expectedRevision: number
  /** Present when the change designates a version. */
  readonly designation: Option.Option<Designation>
}

/** A stretch of a list: `offset` entries are skipped, at most `limit` are returned. */
export interface Page {
  readonly offset: number
  readonly limit: number
}

/** A stretch of the presets of a workspace. */
export interface PresetPage extends Page {
  /** Only presets in this state are listed and counted; all of them when there is none. */
  readonly state?: Preset["_tag"] | undefined
}

/** The presets of a page, and how many there are in all. */
export interface ListedPresets {
  readonly presets: ReadonlyArray<Preset>
  readonly total: number
}

/** A stretch of versions, each of which may be a few bytes or 2 MiB. */
export interface VersionPage extends Page {
  /**
   * Bytes of prompts and configurations at most, as stored. The first version is returned whatever
   * its size, the others as far as they fit beside it.
   */
  readonly byteMax?: number
}

export class PresetStore extends Context.Service<
  PresetStore,
  {
    /**
     * Adds a version to the preset with that slug, creating the preset (active, named like its
     * slug) when there is none, and designates it. One atomic act: under any number of writers the
     * versions of a preset are 1, 2, 3 … without gaps or repeats, its revision grows by one, and
     * its designated version is the latest one. Slugs are compared byte by byte. A failed call
     * leaves nothing behind, but `Unavailable` may have written. A repeat is safe: a draft whose
     * version is there already adds nothing and returns that version, whatever has happened to the
     * preset since.
     *
     * A key is written together with its version, and stands for it alone for 24 hours, by the
     * store's own time and in its workspace: meanwhile another draft under it is refused with
     * `KeyTaken`, even one that comes at the same time.
     *
     * The condition of a draft is judged in the same atomic act, after its key: of many writers who
     * require the same designated version, or that there be no preset, one adds a version.
     */
    readonly append: (draft: PresetDraft) => Effect.Effect<DesignatedPreset, PresetStoreError>
    /**
     * Removes some of the presets of a workspace, with their versions and all that is known of
     * them: at most that many rows, in one transaction. Whether there may be more. For workspaces
     * that nobody uses any more: a preset may be left with a part of its versions.
     */
    readonly clear: (
      workspaceId: WorkspaceId,
      rowMax: number
    ) => Effect.Effect<boolean, PresetStoreError>
    /** What was made under a key; none when the key is free, because it never was or has lapsed. */
    readonly made: (
      workspaceId: WorkspaceId,
      key: IdempotencyKey
    ) => Effect.Effect<Option.Option<Made>, PresetStoreError>
    /**
     * Replaces a preset, and keeps the designation with it, in one transaction. `Superseded` unless
     * the stored revision is `expectedRevision`. Identity, slug, latest version and birth of a
     * preset never change; versions are not touched. A repeat is safe: a revision whose id is there
     * already changes nothing, and succeeds.
     */
    readonly revise: (revision: Revision) => Effect.Effect<void, PresetStoreError>
    /** The preset with that slug in that workspace; none when there is none. */
    readonly find: (
      workspaceId: WorkspaceId,
      slug: PresetSlug
    ) => Effect.Effect<Option.Option<DesignatedPreset>, PresetStoreError>
    /**
     * The presets of a workspace, or those in one state, newest updated first (ties by id, newest
     * first), and how many of them there are in all.
     */
    readonly list: (
      workspaceId: WorkspaceId,
      page: PresetPage
    ) => Effect.Effect<ListedPresets, PresetStoreError>
    /** Versions of a preset, oldest first. Its latest version says how many there are. */
    readonly versions: (
      presetId: PresetId,
      page: VersionPage
    ) => Effect.Effect<ReadonlyArray<PresetVersion>, PresetStoreError>
    /** One version of a preset; none when there is no such number. */
    readonly version: (
      presetId: PresetId,
      version: number
    ) => Effect.Effect<Option.Option<PresetVersion>, PresetStoreError>
    /**
     * Designations of a preset in the order in which they happened. Each version designated itself
     * when it was added, so the list is never empty for a preset that exists.
     */
    readonly designations: (
      presetId: PresetId,
      page: Page
    ) => Effect.Effect<ReadonlyArray<Designation>, PresetStoreError>
    /** How many designations of a preset there are; they are never removed. */
    readonly designationCount: (presetId: PresetId) => Effect.Effect<number, PresetStoreError>
    /**
     * The version that was designated at an instant: that of the last designation at or before it.
     * None before the preset was created.
     */
    readonly designatedAt: (
      presetId: PresetId,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<PresetVersion>, PresetStoreError>
  }
>()("@verbatim/core/ports/PresetStore") {}

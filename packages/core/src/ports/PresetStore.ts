/**
 * Port: durable memory of presets, their versions, and which version was designated when. What a
 * change means is decided by the pure machine in `preset/Preset.ts`; the contract suite replays
 * every run against it.
 */
import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import type { IdempotencyKey } from "../domain/idempotency/IdempotencyKey.ts"
import type { Designation, LabelMove } from "../domain/preset/Designation.ts"
import type { ProtectedLabel } from "../domain/preset/LabelChange.ts"
import type { Preset } from "../domain/preset/Preset.ts"
import type { PresetChangeId } from "../domain/preset/PresetChange.ts"
import type { PresetDraft } from "../domain/preset/PresetDraft.ts"
import { Unmet } from "../domain/preset/PresetRefusal.ts"
import type { PresetSlug } from "../domain/preset/PresetSlug.ts"
import type { ContentErasure, PresetId, PresetVersion } from "../domain/preset/PresetVersion.ts"
import type { DesignatedPreset } from "../domain/preset/VersionPoint.ts"
import type { LabelName } from "../domain/workspace/LabelName.ts"
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
    /** The workspace has as many protected labels as it may. Nothing was written. */
    Full: {},
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
export interface KeyedVersion {
  /** Empty when the content of the version was erased since: no digest of it stays. */
  readonly fingerprint: string
  /** The preset as it is now, with the version that was made. */
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
  /** Present when the change moves or removes a label. */
  readonly label?: LabelMove | undefined
  /** Labels of which nobody may have protected one since the change was decided. */
  readonly freeLabels?: ReadonlyArray<LabelName> | undefined
  /** Present when the change erases the content of a version. */
  readonly erasure?: (ContentErasure & { readonly version: number }) | undefined
}

/** The removal of an archived preset, decided on `expectedRevision`. */
export interface Removal {
  readonly presetId: PresetId
  readonly expectedRevision: number
  /** Labels of it of which nobody may have protected one since that was decided. */
  readonly freeLabels: ReadonlyArray<LabelName>
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
  /** The same of presets that have this label. */
  readonly label?: LabelName | undefined
  /**
   * The same of presets with this text in their slug, their name or their description. ASCII
   * letters are the same in either case; everything else is compared as it is.
   */
  readonly text?: string | undefined
}

/** The presets of a page, and how many there are in all. */
export interface ListedPresets {
  readonly presets: ReadonlyArray<Preset>
  readonly total: number
}

/** Whose label is protected, and since when. */
export interface Protection extends ProtectedLabel {
  readonly workspaceId: WorkspaceId
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
     * slug) when there is none, and designates it, unless it is only staged and the preset was
     * there. One atomic act: under any number of writers the versions of a preset are 1, 2, 3 …
     * without gaps or repeats, its revision grows by one, and its designated version is the one
     * that was added last without being staged. Slugs are compared byte by byte. A failed call
     * leaves nothing behind, but `Unavailable` may have written. A repeat is safe: a draft whose
     * version is there already adds nothing and returns that version, whatever has happened to the
     * preset since (`answerRepeat`), unless the preset was removed.
     *
     * A key is written together with its version, and stands for it alone for 24 hours, by the
     * store's own time and in its workspace, as long as the preset is there: meanwhile another
     * draft under it is refused with `KeyTaken`, even one that comes at the same time. One that was
     * taken when that time was a day ahead, or more, has lapsed (`isCurrentKey`).
     *
     * The condition of a draft is judged in the same atomic act, after its key: of many writers who
     * require the same designated version, or that there be no preset, one adds a version.
     */
    readonly append: (draft: PresetDraft) => Effect.Effect<DesignatedPreset, PresetStoreError>
    /**
     * Removes some of the presets of a workspace, with their versions and all that is known of
     * them, and then its protected labels: at most that many rows, in one transaction. Whether
     * there may be more. For workspaces that nobody uses any more: a preset may be left with a part
     * of its versions.
     */
    readonly clear: (
      workspaceId: WorkspaceId,
      rowMax: number
    ) => Effect.Effect<boolean, PresetStoreError>
    /**
     * What was made under a key; none when the key is free, because it never was, has lapsed, or
     * made a version of a preset that was removed.
     */
    readonly made: (
      workspaceId: WorkspaceId,
      key: IdempotencyKey
    ) => Effect.Effect<Option.Option<KeyedVersion>, PresetStoreError>
    /**
     * Replaces a preset, and keeps the designation or the move of a label with it, in one
     * transaction. `Superseded` unless the stored revision is `expectedRevision`, and where labels
     * are taken for free, unless nobody has protected one: whoever was told that a label is
     * protected sees no change of it that was decided before, in a host's transaction either.
     * Identity, slug, latest version and birth of a preset never change.
     *
     * An erasure takes the content of that version away, and the fingerprint of the request that
     * made it: nothing of the content is stored from then on. Otherwise versions are not touched. A
     * repeat is safe: a revision whose id is there already changes nothing, and succeeds.
     */
    readonly revise: (revision: Revision) => Effect.Effect<void, PresetStoreError>
    /**
     * Removes an archived preset: from then on nothing finds or lists it, its slug is free and so
     * are the keys of its versions. One atomic act, whatever the preset has; its rows may go later
     * (`sweep`). `Superseded` unless it is archived and its revision is `expectedRevision`, and
     * where a label is taken for free, unless nobody has protected it. A repeat is safe: the
     * removal of a preset that is not there succeeds.
     */
    readonly remove: (removal: Removal) => Effect.Effect<void, PresetStoreError>
    /**
     * Deletes rows of presets that were removed, of any workspace: at most that many, in one
     * transaction. Whether there may be more. Any number of processes may do so, at any time; where
     * one dies, the next call goes on.
     */
    readonly sweep: (rowMax: number) => Effect.Effect<boolean, PresetStoreError>
    /** The protected labels of a workspace, by name. */
    readonly protectedLabels: (
      workspaceId: WorkspaceId
    ) => Effect.Effect<ReadonlyArray<ProtectedLabel>, PresetStoreError>
    /**
     * Protects a label in all presets of a workspace. One that is protected stays as it was. `Full`
     * when the workspace has `protectedLabelMax` others, under any number of writers.
     */
    readonly protect: (protection: Protection) => Effect.Effect<void, PresetStoreError>
    /** Lifts the protection of a label. A repeat is safe. */
    readonly unprotect: (
      workspaceId: WorkspaceId,
      label: LabelName
    ) => Effect.Effect<void, PresetStoreError>
    /** The preset with that slug in that workspace; none when there is none. */
    readonly find: (
      workspaceId: WorkspaceId,
      slug: PresetSlug
    ) => Effect.Effect<Option.Option<DesignatedPreset>, PresetStoreError>
    /**
     * The presets of a workspace, or those that pass the filters of the page, newest updated first
     * (ties by id, newest first), and how many of them there are in all.
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
     * Designations of a preset in the order in which they happened. The first version designated
     * itself when it was added, so the list is never empty for a preset that exists.
     */
    readonly designations: (
      presetId: PresetId,
      page: Page
    ) => Effect.Effect<ReadonlyArray<Designation>, PresetStoreError>
    /** How many designations of a preset there are; they go only with the preset. */
    readonly designationCount: (presetId: PresetId) => Effect.Effect<number, PresetStoreError>
    /**
     * The version that was designated at an instant: that of the last designation at or before it.
     * None before the preset was created.
     */
    readonly designatedAt: (
      presetId: PresetId,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<PresetVersion>, PresetStoreError>
    /** Moves of one label of a preset in the order in which they happened, removals included. */
    readonly labelMoves: (
      presetId: PresetId,
      page: Page & { readonly label: LabelName }
    ) => Effect.Effect<ReadonlyArray<LabelMove>, PresetStoreError>
    /** How many moves of a label there are; they go only with the preset. */
    readonly labelMoveCount: (
      presetId: PresetId,
      label: LabelName
    ) => Effect.Effect<number, PresetStoreError>
    /**
     * The version that a label pointed to at an instant: that of its last move at or before it.
     * None before there was such a label, and after it was removed.
     */
    readonly labelledAt: (
      presetId: PresetId,
      asked: { readonly label: LabelName; readonly at: DateTime.Utc }
    ) => Effect.Effect<Option.Option<PresetVersion>, PresetStoreError>
  }
>()("@verbatim/core/ports/PresetStore") {}

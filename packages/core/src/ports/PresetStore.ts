/**
 * Port: stores presets, their versions, and the history of their designations. The state machine in
 * `preset/Preset.ts` defines each change; the contract suite checks every store against that
 * machine.
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
import type { DesignatedPreset } from "../domain/preset/VersionSelector.ts"
import { describeStoreFailure, refusal } from "../domain/schema/Refusal.ts"
import type { LabelName } from "../domain/workspace/LabelName.ts"
import type { UserId, WorkspaceId } from "../domain/workspace/Workspace.ts"

/** A failure of a `PresetStore`. */
export class PresetStoreError extends refusal<PresetStoreError>()("PresetStoreError", {
  fields: {
    operation: Schema.String,
    reason: Schema.TaggedUnion({
      /** The store did not respond; the write may or may not have happened. */
      Unavailable: { cause: Schema.Defect() },
      /** Too many concurrent writers: all retries of the adapter failed. Nothing was written. */
      Contended: {},
      /** Another writer has changed the preset since it was read. Nothing was written. */
      Superseded: {},
      /** The preset is archived and accepts no version. Nothing was written. */
      Archived: {},
      /** The idempotency key belongs to another version. Nothing was written. */
      KeyTaken: {},
      /** The draft's condition is not met. Nothing was written. */
      ConditionFailed: { unmet: Unmet },
      /** The workspace has the maximum number of protected labels. Nothing was written. */
      Full: {},
      /** The workspace does not exist. Nothing was written. */
      WorkspaceMissing: {}
    })
  },
  sentence: describeStoreFailure
}) {}

/** The version that the first request under an idempotency key created. */
export interface KeyedVersion {
  /**
   * The fingerprint of the first request; empty once the version's content is erased, because no
   * digest of erased content is stored.
   */
  readonly fingerprint: string
  /** The preset in its current state, with the version that was created. */
  readonly made: DesignatedPreset
}

/** A change to a preset, based on its revision `expectedRevision`. */
export interface Revision {
  /** Identifies the change, which is applied only once, however often it is written. */
  readonly id: PresetChangeId
  readonly next: Preset
  readonly expectedRevision: number
  /** The new entry in the history of designations, if the change designates a version. */
  readonly designation: Option.Option<Designation>
  /** The new entry in the history of a label, if the change moves or removes one. */
  readonly label?: LabelMove | undefined
  /** Labels that must still be unprotected when the change is written. */
  readonly freeLabels?: ReadonlyArray<LabelName> | undefined
  /** The version to erase, and the author and time, if the change erases a version's content. */
  readonly erasure?: (ContentErasure & { readonly version: number }) | undefined
}

/** The removal of an archived preset, based on its revision `expectedRevision`. */
export interface Removal {
  /** Identifies the removal, which happens only once, however often it is written. */
  readonly id: PresetChangeId
  readonly presetId: PresetId
  readonly expectedRevision: number
  /** Labels of the preset that must still be unprotected. */
  readonly freeLabels: ReadonlyArray<LabelName>
}

/** A page of a list, which skips `offset` entries and has at most `limit` entries. */
export interface Page {
  readonly offset: number
  readonly limit: number
}

/** A page of a workspace's presets. */
export interface PresetPage extends Page {
  /** Only presets in this state are listed and counted; if undefined, presets in any state. */
  readonly state?: Preset["_tag"] | undefined
  /** Only presets with this label are listed and counted. */
  readonly label?: LabelName | undefined
  /**
   * Only presets with this text in their slug, name or description are listed and counted. The case
   * of ASCII letters is ignored; all other characters match exactly.
   */
  readonly text?: string | undefined
}

/** A preset in a list, with the user who created its latest version. */
export type ListedPreset = Preset & { readonly latestCreatorId: UserId }

/** The presets on a page, and the number of all matching presets. */
export interface ListedPresets {
  readonly presets: ReadonlyArray<ListedPreset>
  readonly total: number
}

/** A label that is protected in a workspace. */
export interface Protection extends ProtectedLabel {
  readonly workspaceId: WorkspaceId
}

/** A page of a preset's versions. A version takes between a few bytes and 2 MiB. */
export interface VersionPage extends Page {
  /**
   * Maximum total size of prompts and configurations, in bytes as stored. The first version is
   * returned whatever its size; more versions are returned as long as they fit.
   */
  readonly byteMax?: number
}

export class PresetStore extends Context.Service<
  PresetStore,
  {
    /**
     * Adds a version to the preset with the draft's slug, and designates it, unless it is only
     * staged and the preset existed. If there is no such preset, an active preset is created, with
     * the slug as its name. The call is atomic: with any number of concurrent writers, the versions
     * of a preset are 1, 2, 3 … without gaps or repeats, its revision grows by one, and its
     * designated version is the last one that was added without being staged. Slugs are compared
     * byte by byte. A failed call changes nothing, except that a call that failed with
     * `Unavailable` may have written. The call is safe to retry: a draft whose version is already
     * stored adds nothing and returns that version, whatever has happened to the preset since
     * (`answerRepeat`), unless the preset was removed.
     *
     * A key is written together with the version, and is reserved for that version for 24 hours by
     * the store's own time, in one workspace, while the preset exists. During that time, any other
     * draft under the same key, even a concurrent one, is refused with `KeyTaken`. A key that was
     * taken while the store's clock was a day or more ahead has expired (`isCurrentKey`).
     *
     * The condition of a draft is checked in the same atomic step, after the draft's key. Of many
     * writers that require the same designated version, or require that the preset does not exist,
     * only one adds a version.
     */
    readonly append: (draft: PresetDraft) => Effect.Effect<DesignatedPreset, PresetStoreError>
    /**
     * Removes presets of a workspace, with their versions and all their history, and then the
     * workspace's protected labels: at most `rowMax` rows, in one transaction. Returns whether more
     * rows may be left. This method is only for workspaces that are no longer used, because a
     * preset may be left with only some of its versions.
     */
    readonly clear: (
      workspaceId: WorkspaceId,
      rowMax: number
    ) => Effect.Effect<boolean, PresetStoreError>
    /**
     * Returns the version created under a key; none if the key is free: never used, expired, or
     * used for a version of a removed preset.
     */
    readonly made: (
      workspaceId: WorkspaceId,
      key: IdempotencyKey
    ) => Effect.Effect<Option.Option<KeyedVersion>, PresetStoreError>
    /**
     * Replaces a preset, and stores the designation or the label move with it, in one transaction.
     * Fails with `Superseded` unless the stored revision is `expectedRevision` and all `freeLabels`
     * are still unprotected. Once a label is protected, no decision made earlier changes the label,
     * not even in a host's transaction. The id, slug, latest version and creation time of a preset
     * never change.
     *
     * An erasure deletes the content of the version, and the fingerprint of the request that
     * created it, so that none of the content stays stored. No other change affects versions. The
     * call is safe to retry: a revision whose id is already stored changes nothing, and succeeds.
     */
    readonly revise: (revision: Revision) => Effect.Effect<void, PresetStoreError>
    /**
     * Removes an archived preset: from then on, it is neither found nor listed, and its slug and
     * its versions' keys are free. The call is atomic, no matter how large the preset is; its rows
     * may be deleted later (`sweep`). Fails with `Superseded` unless the preset is archived, its
     * revision is `expectedRevision`, and all `freeLabels` are still unprotected. Returns whether
     * the removal with this id happened: false if the preset does not exist, for example because
     * another removal was faster. The call is safe to retry: a removal that already happened
     * succeeds, until the preset's rows are deleted.
     */
    readonly remove: (removal: Removal) => Effect.Effect<boolean, PresetStoreError>
    /**
     * Deletes rows of removed presets in any workspace: at most `rowMax`, in one transaction.
     * Returns whether more rows may be left. Any number of processes can call this method at any
     * time; if one crashes, the next call continues.
     */
    readonly sweep: (rowMax: number) => Effect.Effect<boolean, PresetStoreError>
    /** Returns the protected labels of a workspace, by name. */
    readonly protectedLabels: (
      workspaceId: WorkspaceId
    ) => Effect.Effect<ReadonlyArray<ProtectedLabel>, PresetStoreError>
    /**
     * Protects a label in all presets of a workspace. A label that is already protected stays
     * unchanged. Fails with `Full` if the workspace has `protectedLabelMax` other protected labels,
     * with any number of concurrent writers.
     */
    readonly protect: (protection: Protection) => Effect.Effect<void, PresetStoreError>
    /** Removes a label's protection. The call is safe to retry. */
    readonly unprotect: (
      workspaceId: WorkspaceId,
      label: LabelName
    ) => Effect.Effect<void, PresetStoreError>
    /** Returns the preset with the given slug in the given workspace; none if it does not exist. */
    readonly find: (
      workspaceId: WorkspaceId,
      slug: PresetSlug
    ) => Effect.Effect<Option.Option<DesignatedPreset>, PresetStoreError>
    /**
     * Returns the presets of a workspace that pass the page's filters, most recently updated first
     * (ties by id, newest first), and their total number.
     */
    readonly list: (
      workspaceId: WorkspaceId,
      page: PresetPage
    ) => Effect.Effect<ListedPresets, PresetStoreError>
    /**
     * Returns versions of a preset, oldest first. The number of the latest version is also the
     * number of versions.
     */
    readonly versions: (
      presetId: PresetId,
      page: VersionPage
    ) => Effect.Effect<ReadonlyArray<PresetVersion>, PresetStoreError>
    /** Returns one version of a preset; none if no version has the given number. */
    readonly version: (
      presetId: PresetId,
      version: number
    ) => Effect.Effect<Option.Option<PresetVersion>, PresetStoreError>
    /**
     * Returns designations of a preset, oldest first. The first version was designated when it was
     * added, so the list of an existing preset is never empty.
     */
    readonly designations: (
      presetId: PresetId,
      page: Page
    ) => Effect.Effect<ReadonlyArray<Designation>, PresetStoreError>
    /**
     * Returns the number of a preset's designations. They are deleted only together with the
     * preset.
     */
    readonly designationCount: (presetId: PresetId) => Effect.Effect<number, PresetStoreError>
    /**
     * Returns the version that was designated at a given time, that is, by the last designation at
     * or before it; none for a time before the preset was created.
     */
    readonly designatedAt: (
      presetId: PresetId,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<PresetVersion>, PresetStoreError>
    /** Returns moves of one label of a preset, oldest first, including removals. */
    readonly labelMoves: (
      presetId: PresetId,
      page: Page & { readonly label: LabelName }
    ) => Effect.Effect<ReadonlyArray<LabelMove>, PresetStoreError>
    /** Returns the number of a label's moves. They are deleted only together with the preset. */
    readonly labelMoveCount: (
      presetId: PresetId,
      label: LabelName
    ) => Effect.Effect<number, PresetStoreError>
    /**
     * Returns the version that a label pointed to at a given time, that is, the target of its last
     * move at or before it. None for a time before the label existed, or after it was removed.
     */
    readonly labelledAt: (
      presetId: PresetId,
      query: { readonly label: LabelName; readonly at: DateTime.Utc }
    ) => Effect.Effect<Option.Option<PresetVersion>, PresetStoreError>
  }
>()("@verbatim/core/ports/PresetStore") {}

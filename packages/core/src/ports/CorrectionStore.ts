/**
 * Port: stores the corrections of transcripts. Corrections belong to a transcript, and are deleted
 * with it in one transaction when the job is deleted or its retention ends. The store makes no
 * decisions.
 */
import { Context, type Effect, type Option, Schema } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import type { Corrected, CorrectionVersion, WholeVersion } from "../domain/correction/Correction.ts"
import type { Overlay } from "../domain/correction/Overlay.ts"
import type { IdempotencyKey } from "../domain/idempotency/IdempotencyKey.ts"
import { describeStoreFailure, refusal } from "../domain/schema/Refusal.ts"

/** A failure of a `CorrectionStore`. */
export class CorrectionStoreError extends refusal<CorrectionStoreError>()("CorrectionStoreError", {
  fields: {
    operation: Schema.String,
    reason: Schema.TaggedUnion({
      /** The store did not respond; the write may or may not have happened. */
      Unavailable: { cause: Schema.Defect() },
      /** Another writer was first. Nothing was written. */
      Superseded: {},
      /** Another writer held the lock on the transcript for too long. Nothing was written. */
      Contended: {},
      /** The transcript does not exist yet, or no longer exists. Nothing was written. */
      Absent: {}
    })
  },
  sentence: describeStoreFailure
}) {}

/** The next version of a transcript's corrections, based on the version before it. */
export interface CorrectionCommit {
  readonly next: Corrected
  readonly version: WholeVersion
}

/** A page of versions numbered below `before`, the latest first. */
export interface CorrectionPage {
  /** The page starts before this version; none to start with the latest. */
  readonly before: Option.Option<number>
  readonly limit: number
}

export class CorrectionStore extends Context.Service<
  CorrectionStore,
  {
    /**
     * Returns all corrections of a transcript as of one version; none if the transcript was never
     * corrected, or no longer exists. The cost depends on the size of the corrections, and not on
     * the number of versions.
     */
    readonly current: (id: JobId) => Effect.Effect<Option.Option<Corrected>, CorrectionStoreError>
    /**
     * Writes a version and the resulting corrections in one transaction, or nothing. Fails with
     * `Superseded` unless the stored version is the preceding one or, for the first version, no
     * version is stored. Fails with `Absent` if there is no transcript. Safe to retry: a version
     * whose id is already stored is not written again.
     */
    readonly commit: (commit: CorrectionCommit) => Effect.Effect<void, CorrectionStoreError>
    /**
     * Returns a page of the corrections versions; empty if the transcript was never corrected, or
     * no longer exists.
     */
    readonly versions: (
      id: JobId,
      page: CorrectionPage
    ) => Effect.Effect<ReadonlyArray<CorrectionVersion>, CorrectionStoreError>
    /**
     * Returns one corrections version with its changes; none if there is no version with this
     * number.
     */
    readonly version: (
      id: JobId,
      version: number
    ) => Effect.Effect<Option.Option<WholeVersion>, CorrectionStoreError>
    /**
     * Returns all corrections as of a version: the changes in it and all earlier versions, applied
     * in order. Empty for version 0, or if there is no such version.
     */
    readonly overlayAt: (id: JobId, version: number) => Effect.Effect<Overlay, CorrectionStoreError>
    /** The last version that was written under an idempotency key; none if the key was not used. */
    readonly requested: (
      id: JobId,
      key: IdempotencyKey
    ) => Effect.Effect<Option.Option<CorrectionVersion>, CorrectionStoreError>
  }
>()("@verbatim/core/ports/CorrectionStore") {}

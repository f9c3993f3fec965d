/**
 * Port: stores the corrections of transcripts. They belong to a transcript and are deleted in the
 * same transaction as it: with its job, or when its retention ends. The store decides nothing.
 */
import { Context, type Effect, type Option, Schema } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import type { Corrected, CorrectionVersion, WholeVersion } from "../domain/correction/Correction.ts"
import type { Overlay } from "../domain/correction/Overlay.ts"
import type { IdempotencyKey } from "../domain/idempotency/IdempotencyKey.ts"

/** A failure of a `CorrectionStore`. */
export class CorrectionStoreError extends Schema.TaggedError<CorrectionStoreError>()(
  "CorrectionStoreError",
  {
    operation: Schema.String,
    reason: Schema.TaggedUnion({
      /** The store did not answer; the write may or may not have happened. */
      Unavailable: { cause: Schema.Defect() },
      /** Another writer was first: nothing was written. */
      Superseded: {},
      /** Another writer held the transcript for too long: nothing was written. */
      Contended: {},
      /** The transcript does not exist, or no longer: nothing was written. */
      Absent: {}
    })
  }
) {
  override get message(): string {
    return `${this.operation}: ${this.reason._tag}`
  }
  /** The driver's error, for the log. */
  override get cause(): unknown {
    return "cause" in this.reason ? this.reason.cause : undefined
  }
}

/** The next version of the corrections of one transcript, decided on the version before it. */
export interface CorrectionCommit {
  readonly next: Corrected
  readonly version: WholeVersion
}

/** A page of versions with smaller numbers than `before`, the latest first. */
export interface CorrectionPage {
  /** None for the latest versions. */
  readonly before: Option.Option<number>
  readonly limit: number
}

export class CorrectionStore extends Context.Service<
  CorrectionStore,
  {
    /**
     * All corrections of a transcript as of one version; none when it was never corrected, or is
     * gone. The cost depends on the size of the corrections, not on the number of versions.
     */
    readonly current: (id: JobId) => Effect.Effect<Option.Option<Corrected>, CorrectionStoreError>
    /**
     * Writes a version and the resulting corrections in one transaction, or nothing. `Superseded`
     * unless the stored version is the one before it; for the first version, unless there is none
     * yet. `Absent` when there is no transcript. Safe to repeat: a version whose id is already
     * stored is not written again.
     */
    readonly commit: (commit: CorrectionCommit) => Effect.Effect<void, CorrectionStoreError>
    /** A page of the versions; empty when the transcript was never corrected, or is gone. */
    readonly versions: (
      id: JobId,
      page: CorrectionPage
    ) => Effect.Effect<ReadonlyArray<CorrectionVersion>, CorrectionStoreError>
    /** One version with its changes; none when no version has that number. */
    readonly version: (
      id: JobId,
      version: number
    ) => Effect.Effect<Option.Option<WholeVersion>, CorrectionStoreError>
    /**
     * All corrections as of a version: its changes applied after those of all versions before it.
     * Empty for 0, or if there are no such versions.
     */
    readonly overlayAt: (id: JobId, version: number) => Effect.Effect<Overlay, CorrectionStoreError>
    /** The last version written under a client's idempotency key; none without one. */
    readonly requested: (
      id: JobId,
      key: IdempotencyKey
    ) => Effect.Effect<Option.Option<CorrectionVersion>, CorrectionStoreError>
  }
>()("@verbatim/core/ports/CorrectionStore") {}

/**
 * Port: durable memory of the corrections of transcripts. They belong to a transcript and go with
 * it, in the transaction that takes it: with its job, or because its time is over. It decides
 * nothing.
 */
import { Context, type Effect, type Option, Schema } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import type { Corrected, CorrectionVersion, WholeVersion } from "../domain/correction/Correction.ts"
import type { Overlay } from "../domain/correction/Overlay.ts"
import type { IdempotencyKey } from "../domain/idempotency/IdempotencyKey.ts"

/** What went wrong in a `CorrectionStore`. */
export class CorrectionStoreError extends Schema.TaggedError<CorrectionStoreError>()(
  "CorrectionStoreError",
  {
    operation: Schema.String,
    reason: Schema.TaggedUnion({
      /** The store did not answer; the write may or may not have happened. */
      Unavailable: { cause: Schema.Defect() },
      /** Somebody else wrote first: nothing was written. */
      Superseded: {},
      /** Another writer held the transcript for too long: nothing was written. */
      Contended: {},
      /** The transcript is not there, or no longer: nothing was written. */
      Absent: {}
    })
  }
) {
  override get message(): string {
    return `${this.operation}: ${this.reason._tag}`
  }
  /** What the driver said, for the log. */
  override get cause(): unknown {
    return "cause" in this.reason ? this.reason.cause : undefined
  }
}

/** The next version of the corrections of one transcript, decided on the version before it. */
export interface CorrectionCommit {
  readonly next: Corrected
  readonly version: WholeVersion
}

/** Versions with smaller numbers than one, the latest first. */
export interface CorrectionPage {
  /** None for the latest ones. */
  readonly before: Option.Option<number>
  readonly limit: number
}

export class CorrectionStore extends Context.Service<
  CorrectionStore,
  {
    /**
     * The corrections of a transcript as one version left them, whole; none when nobody ever
     * corrected it, or it is gone. Costs what the corrections are, however many versions there are.
     */
    readonly current: (id: JobId) => Effect.Effect<Option.Option<Corrected>, CorrectionStoreError>
    /**
     * Writes a version and what is corrected from then on, in one transaction, or nothing.
     * `Superseded` unless the last version is the one before it; the first one needs that there is
     * none. `Absent` when there is no transcript. Safe to repeat: a version that is already there
     * under its id is not written again.
     */
    readonly commit: (commit: CorrectionCommit) => Effect.Effect<void, CorrectionStoreError>
    /** A page of the versions; empty when nobody ever corrected the transcript, or it is gone. */
    readonly versions: (
      id: JobId,
      page: CorrectionPage
    ) => Effect.Effect<ReadonlyArray<CorrectionVersion>, CorrectionStoreError>
    /** One version with what it changed; none when there is none of that number. */
    readonly version: (
      id: JobId,
      version: number
    ) => Effect.Effect<Option.Option<WholeVersion>, CorrectionStoreError>
    /**
     * Everything that was corrected when a version was the last one: what its changes and those
     * before it come to, in their order. Nothing for 0, or where there are no such versions.
     */
    readonly overlayAt: (id: JobId, version: number) => Effect.Effect<Overlay, CorrectionStoreError>
    /** The last version that was made under an idempotency key of a client; none without one. */
    readonly requested: (
      id: JobId,
      key: IdempotencyKey
    ) => Effect.Effect<Option.Option<CorrectionVersion>, CorrectionStoreError>
  }
>()("@verbatim/core/ports/CorrectionStore") {}

/**
 * The context of an attempt, which the services that do the work receive, and the result of a
 * successful attempt.
 */
import type { DateTime, Effect, Option } from "effect"
import type { KeptBody } from "../../domain/delivery/Delivery.ts"
import type { Job } from "../../domain/job/Job.ts"
import type { JobEvent } from "../../domain/job/JobEvent.ts"
import type { Peaks } from "../../domain/transcription/DecodedAudio.ts"
import type { CountedPiece, Piece } from "../../domain/transcription/Piece.ts"
import type { Transcript } from "../../domain/transcription/Transcript.ts"

/** A recognised piece, and the plan that it belongs to. */
export interface KeptPiece extends Omit<CountedPiece, "index"> {
  readonly piece: Piece
}

/** An attempt after its first commit was acknowledged. */
export interface TaskContext {
  readonly job: Job
  /** The current time on the clock of the store that the work was claimed from. */
  readonly now: Effect.Effect<DateTime.Utc>
  /** Reports progress, from 0 to 1. Undefined if progress is not tracked. */
  readonly onProgress?: (fraction: number) => Effect.Effect<void>
  /**
   * Commits a recognised piece under the lease. If the commit fails, the attempt ends and the call
   * never returns.
   */
  readonly keepPiece?: (piece: KeptPiece) => Effect.Effect<void>
  /** The body of a webhook, if it was built before the first attempt began. */
  readonly prepared?: KeptBody | undefined
  /** Receives the body that is about to be sent. */
  readonly onBody?: (body: KeptBody) => Effect.Effect<void>
}

/** The data that the commit of a successful attempt writes. */
export interface Outcome {
  readonly events: ReadonlyArray<JobEvent>
  readonly transcript?: Option.Option<Transcript>
  /** The loudness of the recording over time; undefined if unknown. */
  readonly peaks?: Peaks
  /** Milliseconds of audio to charge. */
  readonly chargeMillis?: Option.Option<number>
}

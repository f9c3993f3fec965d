/**
 * One attempt as the services that do the work see it: the job at the moment the attempt began, and
 * what a successful one yields.
 */
import type { DateTime, Effect, Option } from "effect"
import type { KeptBody } from "../../domain/delivery/Delivery.ts"
import type { Job } from "../../domain/job/Job.ts"
import type { JobEvent } from "../../domain/job/JobEvent.ts"
import type { Peaks } from "../../domain/transcription/DecodedAudio.ts"
import type { Transcript } from "../../domain/transcription/Transcript.ts"

/** An attempt that has begun: its commit is acknowledged. */
export interface TaskContext {
  readonly job: Job
  /** The time of the store that gave out the work. */
  readonly now: Effect.Effect<DateTime.Utc>
  /** Takes how far the work has come, from 0 to 1. Perhaps nobody wants to know. */
  readonly onProgress?: (fraction: number) => Effect.Effect<void>
  /** The body of a webhook, made before its first attempt began. */
  readonly prepared?: KeptBody | undefined
  /** Takes the body that is about to be sent. */
  readonly onBody?: (body: KeptBody) => Effect.Effect<void>
}

/** What a commit writes when the attempt went well. */
export interface Outcome {
  readonly events: ReadonlyArray<JobEvent>
  readonly transcript: Option.Option<Transcript>
  /** How loud the recording of the transcript is over its time; missing where nobody knows. */
  readonly peaks?: Peaks
  /** Milliseconds of audio to charge. */
  readonly chargeMillis: Option.Option<number>
}

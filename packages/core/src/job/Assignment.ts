/**
 * One attempt as the services that do the work see it: the job at the moment the attempt began, and
 * what a good end of it looks like.
 */
import type { DateTime, Effect, Option } from "effect"
import type { Transcript } from "../transcription/Transcript.ts"
import type { Job } from "./Job.ts"
import type { JobEvent } from "./JobEvent.ts"

/** An attempt that has begun: its commit is acknowledged. */
export interface Assignment {
  readonly job: Job
  /** The time of the store that gave out the work. */
  readonly now: Effect.Effect<DateTime.Utc>
}

/** What one commit is to write when the attempt went well. */
export interface Outcome {
  readonly events: ReadonlyArray<JobEvent>
  readonly transcript: Option.Option<Transcript>
  /** Milliseconds of audio to charge. */
  readonly chargeMillis: Option.Option<number>
}

/**
 * Waits until a recording has become text, or never will. Nobody is told of it across processes, so
 * the job is looked at again and again, soon at first and later once a second.
 */
import { Context, Duration, Effect, Layer, Schedule } from "effect"
import type { Job } from "../domain/job/Job.ts"
import { isTerminal } from "../domain/transcription/Transcription.ts"
import type { Principal } from "../domain/workspace/Principal.ts"
import type { JobStoreError } from "../ports/JobStore.ts"
import { JobRecords } from "./JobRecords.ts"
import type { RequestNotFound } from "./JobRefusals.ts"

/** A short recording is text after some tenths of a second. */
const firstPause = Duration.millis(100)

/** Nobody who waits for minutes minds a second. */
const pauseMax = Duration.seconds(1)

const pauses = Schedule.min([Schedule.exponential(firstPause), Schedule.spaced(pauseMax)])

export class JobEnds extends Context.Service<
  JobEnds,
  {
    /**
     * The job once its transcript is there or its transcription has failed. It waits for as long as
     * that takes; summary and webhook may still be on their way.
     */
    readonly transcribed: (
      principal: Principal,
      id: string
    ) => Effect.Effect<Job, JobStoreError | RequestNotFound>
  }
>()("@verbatim/core/services/JobEnds") {
  static readonly layer: Layer.Layer<JobEnds, never, JobRecords> = Layer.effect(
    JobEnds,
    Effect.map(JobRecords, (records) =>
      JobEnds.of({
        transcribed: (principal, id) =>
          Effect.repeat(records.find(principal, id), {
            schedule: pauses,
            until: ({ transcription }) => isTerminal(transcription)
          })
      })
    )
  )
}

/**
 * Waits until a recording has become text, or never will: many who wait in one process cost it one
 * question a second together.
 */
import { Context, Duration, Effect, Layer, Schedule } from "effect"
import type { Job } from "../domain/job/Job.ts"
import { isTerminal } from "../domain/transcription/Transcription.ts"
import type { Principal } from "../domain/workspace/ApiKey.ts"
import { JobStoreError } from "../ports/JobStore.ts"
import { JobFeeds } from "./JobFeeds.ts"
import { JobRecords } from "./JobRecords.ts"
import type { RequestNotFound } from "./JobRefusals.ts"

/** A short recording is text within a second: it is looked at so soon by itself. */
const firstPauses = [100, 200, 400].map((millis) => Duration.millis(millis))

/** After a while without news a job is looked at all the same: of a thousand, three in a second. */
const quietMax = Duration.minutes(5)

/**
 * Whoever has waited for an hour should not hear of a database that is started anew: it is asked
 * again for a minute.
 */
const askedAgain = { schedule: Schedule.spaced(Duration.seconds(5)), times: 12 }

export class JobEnds extends Context.Service<
  JobEnds,
  {
    /**
     * The job once its transcript is there or its transcription has failed. It waits for as long as
     * that takes, also while the store is away for a minute; summary and webhook may still be on
     * their way.
     */
    readonly transcribed: (
      principal: Principal,
      id: string
    ) => Effect.Effect<Job, JobStoreError | RequestNotFound>
  }
>()("@verbatim/core/services/JobEnds") {
  static readonly layer: Layer.Layer<JobEnds, never, JobFeeds | JobRecords> = Layer.effect(
    JobEnds,
    Effect.gen(function* () {
      const feeds = yield* JobFeeds
      const records = yield* JobRecords

      const transcribed = Effect.fnUntraced(function* (principal: Principal, id: string) {
        const look = Effect.retry(records.find(principal, id), { while: isAway, ...askedAgain })
        let job = yield* look
        for (const pause of firstPauses) {
          if (isTerminal(job.transcription)) return job
          yield* Effect.sleep(pause)
          job = yield* look
        }
        while (!isTerminal(job.transcription)) {
          yield* feeds.awaitChange(job.id, { beyond: job.revision, atMost: quietMax })
          job = yield* look
        }
        return job
      })

      return JobEnds.of({ transcribed })
    })
  )
}

/** What cannot be read now cannot be read in a minute either. */
const isAway = (error: JobStoreError | RequestNotFound): boolean =>
  error instanceof JobStoreError && error.reason._tag === "Unavailable"

/**
 * Waits for the end of a job. Where this process works, it is told of each step; another process
 * tells nobody here, so the store is looked at now and then.
 */

import { isTranscriptionEnded, type Job } from "@verbatim/core/job"
import { JobStoreError } from "@verbatim/core/ports"
import { JobRecords } from "@verbatim/core/services"
import { isTerminal as isSummaryOver } from "@verbatim/core/summary"
import type { Principal } from "@verbatim/core/workspace"
import { Deferred, Duration, Effect, Exit, Option, Queue, Schedule } from "effect"
import type { NewsDesk } from "./NewsDesk.ts"

/** Between two looks where the work is done elsewhere. */
export const farInterval = Duration.seconds(1)

/** Where it is done here: a worker of another process may have taken the job. */
export const nearInterval = Duration.seconds(5)

/**
 * Until the next look, where news came of what the store does not show: it was written in a
 * transaction that its host has yet to end. Then twice as long each time.
 */
export const soon: Duration.Duration = Duration.millis(50)

/** Until the next look, where the store did not answer. */
const outagePause = Duration.seconds(1)

/** A look at the store, again and again while it is out of reach. */
const lookAgain = <A, E>(look: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.retry(look, {
    while: (error) => error instanceof JobStoreError && error.reason._tag === "Unavailable",
    schedule: Schedule.spaced(outagePause)
  })

/** What is waited for, and how. */
export interface Wait {
  readonly principal: Principal
  readonly id: string
  readonly onProgress: (fraction: number) => void
}

/** Whether transcript and summary are over. The webhook may still be on its way. */
const isOver = (job: Job): boolean =>
  isTranscriptionEnded(job) && (job.summary === null || isSummaryOver(job.summary))

/** Makes the wait of a process. */
export const makeWait =
  (desk: NewsDesk, interval: Duration.Duration) =>
  ({ id, onProgress, principal }: Wait) =>
    Effect.gen(function* () {
      const records = yield* JobRecords
      // What is told between a look and the wait for news is kept: one piece is enough.
      const changed = yield* Queue.sliding<void>(1)
      const fault = yield* Deferred.make<never, unknown>()
      // The engine tells it: what the host's listener throws must not reach the engine.
      const report = (fraction: number): void => {
        try {
          onProgress(fraction)
        } catch (thrown) {
          Deferred.doneUnsafe(fault, Exit.fail(thrown))
        }
      }
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          desk.listen(id, ({ progress }) => {
            if (progress === undefined) Queue.offerUnsafe(changed, undefined)
            else report(progress)
          })
        ),
        (leave) => Effect.sync(leave)
      )
      const ended = Effect.gen(function* () {
        const look = records.find(principal, id)
        let job = yield* look
        let pause = interval
        while (!isOver(job)) {
          const news = yield* Effect.timeoutOption(Queue.take(changed), pause)
          const asked = Option.isSome(news) ? Effect.succeedNone : records.progress(job)
          const progress = yield* lookAgain(asked)
          if (Option.isSome(progress)) report(progress.value)
          const found = yield* lookAgain(look)
          const next = Option.isSome(news) ? soon : Duration.times(pause, 2)
          pause = found.revision === job.revision ? Duration.min(next, interval) : interval
          job = found
        }
        return job
      })
      return yield* Effect.raceFirst(ended, Deferred.await(fault))
    }).pipe(Effect.scoped)

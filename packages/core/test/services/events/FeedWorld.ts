import * as Memory from "@verbatim/adapters/memory"
import { attemptReleased, attemptStarted, commitJob } from "@verbatim/testkit/samples"
import { Context, Effect, Layer, Ref, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { Job } from "#src/domain/job/Job"
import { JobStore, unanswered } from "#src/ports/JobStore"
import type { FeedMessage } from "#src/services/events/JobFeeds"
import { JobFeeds } from "#src/services/events/JobFeeds"
import { replace } from "../../world/ports.ts"

/** Counts the queries that subscribers cause, and can make queries fail or hang. */
export class Questions extends Context.Service<
  Questions,
  {
    readonly count: Effect.Effect<number>
    /** Makes every query for a job's whole history fail. */
    readonly refuseFirsts: Effect.Effect<void>
    /** Makes the next query hang. */
    readonly hangOnce: Effect.Effect<void>
  }
>()("JobFeeds.test/Questions") {}

const unavailable = unanswered("changes")

/** Feeds over a store that counts queries. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const count = yield* Ref.make(0)
    const isRefusing = yield* Ref.make(false)
    const isHanging = yield* Ref.make(false)
    const watched = replace(JobStore, ({ changes }) => ({
      changes: (query) =>
        Effect.gen(function* () {
          yield* Ref.update(count, (so) => so + 1)
          // A database would not return immediately either.
          yield* Effect.yieldNow
          if (yield* Ref.getAndSet(isHanging, false)) return yield* Effect.never
          const isFirst = query.jobs.some(({ beyond }) => beyond === 0)
          return isFirst && (yield* Ref.get(isRefusing))
            ? yield* unavailable
            : yield* changes(query)
        })
    }))
    return Layer.merge(
      JobFeeds.layer.pipe(Layer.provideMerge(watched)),
      Layer.succeed(Questions, {
        count: Ref.getAndSet(count, 0),
        refuseFirsts: Ref.set(isRefusing, true),
        hangOnce: Ref.set(isHanging, true)
      })
    )
  })
).pipe(Layer.provideMerge(Memory.layer))

/** Records what a subscriber receives. */
export const listen = Effect.fnUntraced(function* <A, E>(stream: Stream.Stream<A, E>) {
  const received: Array<A> = []
  const fiber = yield* Effect.forkScoped(
    Stream.runForEach(stream, (message) => Effect.sync(() => received.push(message)))
  )
  yield* TestClock.adjust("1 millis")
  return { received, fiber }
})

/** Returns the revisions of the received commits. */
export const revisionsOf = (received: ReadonlyArray<FeedMessage>) =>
  received.flatMap((message) => (message._tag === "Committed" ? [message.entry.revision] : []))

/** Describes each received commit or deletion by the job's number and the revision, as in `1:2`. */
export const commitsOf = (received: ReadonlyArray<FeedMessage>) =>
  received.flatMap((message) =>
    message._tag === "Committed"
      ? [`${message.jobId.slice(-1)}:${message.entry.revision}`]
      : message._tag === "Deleted"
        ? [`${message.jobId.slice(-1)}:deleted`]
        : []
  )

/** Returns the progress values that a subscriber received. */
export const progressOf = (received: ReadonlyArray<FeedMessage>) =>
  received.flatMap((message) => (message._tag === "Progressed" ? [message.progress] : []))

/** Commits twice: the start and the release of an attempt. */
export const twice = Effect.fnUntraced(function* (job: Job) {
  const started = yield* commitJob(job, { events: [attemptStarted()] })
  return yield* commitJob(started, { events: [attemptReleased()] })
})

/** Advances the clock by one second, the interval between two polls. */
export const tick = TestClock.adjust("1 seconds")

/** Many listen in one process: each is answered for itself, and together they ask once a second. */
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@verbatim/adapters/memory"
import {
  attemptReleased,
  attemptStarted,
  commitJob,
  insertJob,
  makeUploadJob,
  transcriptProduced,
  upTo,
  workspaceId
} from "@verbatim/testkit/samples"
import { Context, Duration, Effect, Fiber, Latch, Layer, Option, Ref, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { FeedPlace } from "#src/domain/job/FeedPlace"
import type { Job } from "#src/domain/job/Job"
import { JobStore, JobStoreError } from "#src/ports/JobStore"
import { type FeedNotice, JobFeeds, type JobNotice } from "#src/services/JobFeeds"
import { replace } from "../world/replace.ts"

/** What a test does to the questions of those who listen. */
class Questions extends Context.Service<
  Questions,
  {
    readonly count: Effect.Effect<number>
    /** Refuses questions about all of a job's history. */
    readonly refuseFirsts: Effect.Effect<void>
  }
>()("JobFeeds.test/Questions") {}

const unavailable = new JobStoreError({
  operation: "changes",
  reason: { _tag: "Unavailable", cause: "away" }
})

const layer = Layer.unwrap(
  Effect.gen(function* () {
    const count = yield* Ref.make(0)
    const isRefusing = yield* Ref.make(false)
    const watched = replace(JobStore, ({ changes }) => ({
      changes: (query) =>
        Effect.gen(function* () {
          yield* Ref.update(count, (so) => so + 1)
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
        refuseFirsts: Ref.set(isRefusing, true)
      })
    )
  })
).pipe(Layer.provideMerge(Memory.layer))

/** Puts down what a listener is told. */
const listen = Effect.fnUntraced(function* <A, E>(stream: Stream.Stream<A, E>) {
  const told: Array<A> = []
  const fiber = yield* Effect.forkScoped(
    Stream.runForEach(stream, (notice) => Effect.sync(() => told.push(notice)))
  )
  yield* TestClock.adjust("1 millis")
  return { told, fiber }
})

const revisionsOf = (told: ReadonlyArray<JobNotice>) =>
  told.flatMap((notice) => (notice._tag === "Committed" ? [notice.entry.revision] : []))

const commitsOf = (told: ReadonlyArray<FeedNotice>) =>
  told.flatMap((notice) =>
    notice._tag === "Committed" ? [`${notice.jobId.slice(-1)}:${notice.entry.revision}`] : []
  )

/** Two commits: an attempt that ends as it began. */
const twice = Effect.fnUntraced(function* (job: Job) {
  const started = yield* commitJob(job, { events: [attemptStarted()] })
  return yield* commitJob(started, { events: [attemptReleased()] })
})

const end = Effect.fnUntraced(function* (job: Job) {
  const started = yield* commitJob(job, { events: [attemptStarted()] })
  return yield* commitJob(started, { events: [transcriptProduced()] })
})

const tick = TestClock.adjust("1 seconds")

describe("Those who follow a job", () => {
  it.effect("go on from their own places, and are told of its end", () =>
    Effect.gen(function* () {
      const { followJob } = yield* JobFeeds
      const job = yield* Effect.flatMap(insertJob(makeUploadJob(1)), twice)
      const whole = yield* listen(followJob(job.id, 0))
      const rest = yield* listen(followJob(job.id, 2))
      assert.deepStrictEqual(revisionsOf(whole.told), [1, 2, 3])
      assert.deepStrictEqual(revisionsOf(rest.told), [3])
      const later = yield* twice(job)
      yield* tick
      yield* end(later)
      yield* tick
      for (const { fiber } of [whole, rest]) yield* Fiber.join(fiber)
      assert.deepStrictEqual(revisionsOf(whole.told), [1, 2, 3, 4, 5, 6, 7])
      assert.deepStrictEqual(revisionsOf(rest.told), [3, 4, 5, 6, 7])
      assert.deepStrictEqual(whole.told.at(-1), { _tag: "Ended", revision: 7 })
    }).pipe(Effect.provide(layer))
  )

  it.effect("neither wait for a slow one nor fail with one that fails", () =>
    Effect.gen(function* () {
      const questions = yield* Questions
      const { followJob } = yield* JobFeeds
      const job = yield* insertJob(makeUploadJob(1))
      const quick = yield* listen(followJob(job.id, 0))
      const slow: Array<JobNotice> = []
      const gate = yield* Latch.make()
      yield* Effect.forkScoped(
        Stream.runForEach(followJob(job.id, 0), (notice) =>
          Effect.andThen(
            gate.await,
            Effect.sync(() => slow.push(notice))
          )
        )
      )
      yield* TestClock.adjust("1 millis")
      let latest = job
      for (const _ of upTo(150)) {
        latest = yield* twice(latest)
        yield* tick
      }
      assert.deepStrictEqual(revisionsOf(quick.told), upTo(301))
      assert.deepStrictEqual(slow, [])
      yield* questions.refuseFirsts
      const failing = yield* listen(followJob(job.id, 0))
      assert.strictEqual((yield* Effect.exit(Fiber.join(failing.fiber)))._tag, "Failure")
      yield* twice(latest)
      yield* tick
      assert.deepStrictEqual(revisionsOf(quick.told), upTo(303))
      yield* gate.open
      yield* tick
      assert.deepStrictEqual(revisionsOf(slow), upTo(303))
    }).pipe(Effect.provide(layer))
  )

  it.effect("are told when it is deleted", () =>
    Effect.gen(function* () {
      const { awaitChange, followJob } = yield* JobFeeds
      const store = yield* JobStore
      const job = yield* insertJob(makeUploadJob(1))
      const follower = yield* listen(followJob(job.id, 0))
      const waiting = yield* Effect.forkScoped(awaitChange(job.id, { beyond: 1, atMost: minute }))
      yield* store.remove(job.workspaceId, job.id)
      yield* tick
      yield* Fiber.join(follower.fiber)
      assert.deepStrictEqual(follower.told.at(-1), { _tag: "Gone" })
      assert.isTrue(yield* Fiber.join(waiting))
      const late = yield* listen(followJob(job.id, 0))
      assert.deepStrictEqual(late.told, [{ _tag: "Gone" }])
    }).pipe(Effect.provide(layer))
  )

  it.effect("wait for its next commit, or until the time is up", () =>
    Effect.gen(function* () {
      const { awaitChange } = yield* JobFeeds
      const job = yield* insertJob(makeUploadJob(1))
      const first = yield* Effect.forkScoped(awaitChange(job.id, { beyond: 1, atMost: minute }))
      const short = yield* Effect.forkScoped(
        awaitChange(job.id, { beyond: 1, atMost: Duration.seconds(2) })
      )
      yield* TestClock.adjust("3 seconds")
      assert.isFalse(yield* Fiber.join(short))
      yield* twice(job)
      yield* tick
      assert.isTrue(yield* Fiber.join(first))
    }).pipe(Effect.provide(layer))
  )
})

const minute = Duration.minutes(1)

const ofSecond = { workspaceId: workspaceId(2) }

describe("Those who follow a workspace", () => {
  it.effect("see what happens in theirs, each from its own place", () =>
    Effect.gen(function* () {
      const { followWorkspace } = yield* JobFeeds
      const one = yield* listen(followWorkspace(workspaceId(1), Option.none()))
      const other = yield* listen(followWorkspace(workspaceId(2), Option.none()))
      const first = yield* insertJob(makeUploadJob(1))
      const second = yield* insertJob(makeUploadJob(2, ofSecond))
      yield* tick
      yield* twice(first)
      yield* tick
      assert.deepStrictEqual(commitsOf(one.told), ["1:1", "1:2", "1:3"])
      assert.deepStrictEqual(commitsOf(other.told), ["2:1"])
      const [place] = one.told.flatMap((told) => (told._tag === "Committed" ? [told.place] : []))
      const again = yield* listen(followWorkspace(workspaceId(1), Option.fromUndefinedOr(place)))
      const foreign = yield* listen(followWorkspace(workspaceId(2), Option.fromUndefinedOr(place)))
      yield* twice(second)
      yield* tick
      assert.deepStrictEqual(commitsOf(again.told), ["1:2", "1:3"])
      assert.deepStrictEqual(commitsOf(foreign.told), ["2:1", "2:2", "2:3"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("are told that a place of another feed says nothing here", () =>
    Effect.gen(function* () {
      const { followWorkspace } = yield* JobFeeds
      yield* insertJob(makeUploadJob(1))
      const foreign: FeedPlace = { mark: "other", ordinal: 1, jobId: "", revision: 0 }
      const follower = yield* listen(followWorkspace(workspaceId(1), Option.some(foreign)))
      yield* insertJob(makeUploadJob(2))
      yield* tick
      assert.deepStrictEqual(
        follower.told.map(({ _tag }) => _tag),
        ["Reset", "Committed", "Reached"]
      )
    }).pipe(Effect.provide(layer))
  )
})

describe("A thousand listeners", () => {
  it.effect("ask once a second together, and not at all when nobody listens", () =>
    Effect.gen(function* () {
      const questions = yield* Questions
      const { awaitChange, followJob, followWorkspace } = yield* JobFeeds
      const jobs = yield* Effect.forEach(upTo(300), (number) =>
        insertJob(makeUploadJob(number, number > 150 ? ofSecond : {}))
      )
      const listeners = jobs.flatMap((job) => [
        Stream.runDrain(followJob(job.id, 0)),
        Stream.runDrain(followJob(job.id, 1)),
        awaitChange(job.id, { beyond: 1, atMost: minute })
      ])
      const ofWorkspaces = upTo(100).map((number) =>
        Stream.runDrain(followWorkspace(workspaceId((number % 2) + 1), Option.none()))
      )
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* questions.count, 0)
      const all = yield* Effect.forEach([...listeners, ...ofWorkspaces], (each) =>
        Effect.forkScoped(Effect.asVoid(each))
      )
      assert.strictEqual(all.length, 1_000)
      yield* TestClock.adjust("1 millis")
      yield* questions.count
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* questions.count, 10)
      yield* Effect.forEach(jobs.slice(0, 10), twice)
      yield* tick
      assert.strictEqual(yield* questions.count, 1)
      yield* Fiber.interruptAll(all)
      yield* TestClock.adjust("2 seconds")
      yield* questions.count
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* questions.count, 0)
    }).pipe(Effect.provide(layer))
  )
})

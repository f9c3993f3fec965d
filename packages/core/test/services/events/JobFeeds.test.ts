/** The subscribers in a process do not affect each other, but share one query per second. */
import { assert, describe, it } from "@effect/vitest"
import { insertJob, makeUploadJob, upTo, workspaceId } from "@verbatim/testkit/samples"
import { Duration, Effect, Fiber, Latch, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { FeedMessage } from "#src/services/events/JobFeeds"
import { JobFeeds } from "#src/services/events/JobFeeds"

import { layer, listen, Questions, revisionsOf, tick, twice } from "./FeedWorld.ts"

describe("Subscribers to a job", () => {
  it.effect("are not affected by a slow or a failing subscriber", () =>
    Effect.gen(function* () {
      const questions = yield* Questions
      const { followJob } = yield* JobFeeds
      const job = yield* insertJob(makeUploadJob(1))
      const quick = yield* listen(followJob(job, 0))
      const slow: Array<FeedMessage> = []
      const gate = yield* Latch.make()
      yield* Effect.forkScoped(
        Stream.runForEach(followJob(job, 0), (message) =>
          Effect.andThen(
            gate.await,
            Effect.sync(() => slow.push(message))
          )
        )
      )
      yield* TestClock.adjust("1 millis")
      let latest = job
      for (const _ of upTo(150)) {
        latest = yield* twice(latest)
        yield* tick
      }
      assert.deepStrictEqual(revisionsOf(quick.received), upTo(301))
      assert.deepStrictEqual(slow, [])
      yield* questions.refuseFirsts
      const failing = yield* listen(followJob(job, 0))
      assert.strictEqual((yield* Effect.exit(Fiber.join(failing.fiber)))._tag, "Failure")
      yield* twice(latest)
      yield* tick
      assert.deepStrictEqual(revisionsOf(quick.received), upTo(303))
      yield* gate.open
      yield* tick
      assert.deepStrictEqual(revisionsOf(slow), upTo(303))
    }).pipe(Effect.provide(layer))
  )

  it.effect("receive the job's changes even if the store did not respond to an earlier poll", () =>
    Effect.gen(function* () {
      const { followJob } = yield* JobFeeds
      const job = yield* insertJob(makeUploadJob(1))
      const follower = yield* listen(followJob(job, 0))
      yield* Effect.flatMap(Questions, ({ hangOnce }) => hangOnce)
      yield* twice(job)
      yield* tick
      assert.deepStrictEqual(revisionsOf(follower.received), [1])
      yield* TestClock.adjust("6 seconds")
      assert.deepStrictEqual(revisionsOf(follower.received), [1, 2, 3])
    }).pipe(Effect.provide(layer))
  )
})

const minute = Duration.minutes(1)

const ofSecond = { workspaceId: workspaceId(2) }

describe("A thousand subscribers", () => {
  it.effect("share one query per second, and cause no more queries once they have left", () =>
    Effect.gen(function* () {
      const questions = yield* Questions
      const { awaitChange, followJob, followWorkspace } = yield* JobFeeds
      const jobs = yield* Effect.forEach(upTo(300), (number) =>
        insertJob(makeUploadJob(number, number > 150 ? ofSecond : {}))
      )
      const subscribers = jobs.flatMap((job) => [
        Stream.runDrain(followJob(job, 0)),
        Stream.runDrain(followJob(job, 1)),
        awaitChange(job.id, { beyond: 1, atMost: minute })
      ])
      const ofWorkspaces = upTo(100).map((number) =>
        Stream.runDrain(followWorkspace(workspaceId((number % 2) + 1), Option.none()))
      )
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* questions.count, 0)
      const all = yield* Effect.forEach([...subscribers, ...ofWorkspaces], (each) =>
        Effect.forkScoped(Effect.asVoid(each))
      )
      assert.strictEqual(all.length, 1_000)
      yield* TestClock.adjust("1 millis")
      // Every subscriber has now read all existing entries.
      yield* Effect.repeat(Effect.yieldNow, { times: 5_000 })
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

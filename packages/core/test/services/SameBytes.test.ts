/** Later attempts of a webhook send what the first one sent, whatever code runs then. */
import { assert, describe, it } from "@effect/vitest"
import { FakeWebhookSender } from "@verbatim/testkit/fakes"
import { insertJob, makeOwingJob, transcript, upTo } from "@verbatim/testkit/samples"
import { DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import { JobStore, JobStoreError } from "#src/ports/JobStore"
import { Jobs } from "#src/services/Jobs"
import { callback, caller, look, pass, submit, withCaller } from "../world/caller.ts"
import { supervisor } from "../world/processes.ts"
import { replace } from "../world/replace.ts"
import { deployment, worker } from "../world/world.ts"

/**
 * Stores that return another transcript after the first time, as another version would render it.
 */
const changing = replace(JobStore, (store) => {
  let reads = 0
  return {
    transcript: (id) =>
      Effect.map(
        store.transcript(id),
        Option.map((transcript) =>
          reads++ === 0 ? transcript : { ...transcript, durationMillis: 1 }
        )
      )
  }
})

/** A store that does not tell the transcript at first. */
const slowToTell = (failures: number) =>
  replace(JobStore, (store) => {
    const reason = { _tag: "Unavailable", cause: "a test" } as const
    let reads = 0
    return {
      transcript: (id) =>
        Effect.suspend(() =>
          reads++ < failures
            ? Effect.fail(new JobStoreError({ operation: "transcript", reason }))
            : store.transcript(id)
        )
    }
  })

describe("The body of a webhook", () => {
  it.effect.each([1, 2, 3])(
    "is sent by no attempt that began without its digest, where the store failed %d times",
    (failures) =>
      withCaller(function* (principal) {
        const receiver = yield* FakeWebhookSender
        yield* receiver.behave(() => Effect.succeed(500))
        yield* Layer.build(worker.pipe(Layer.provide(slowToTell(failures))))
        const job = yield* submit(principal, callback)
        yield* pass(300)
        assert.lengthOf(yield* receiver.received, 3)
        const { events } = yield* Effect.flatMap(Jobs, (jobs) => jobs.history(principal, job.id))
        assert.lengthOf(
          events.filter(({ event }) => event === "attempt_postponed"),
          Math.ceil(failures / 2)
        )
        const store = yield* JobStore
        const begun = (yield* store.history(JobId.make(job.id))).flatMap(({ events }) =>
          events.flatMap((each) =>
            each._tag === "Delivery" && each.event._tag === "AttemptStarted" ? [each.event] : []
          )
        )
        assert.lengthOf(begun, 3 + Math.ceil(failures / 2))
        assert.isTrue(begun.slice(-3).every(({ frozen }) => frozen.digest !== undefined))
      })
  )

  it.effect(
    "is frozen anew where an older version froze it without a digest, and sent at once",
    () =>
      withCaller(function* () {
        const receiver = yield* FakeWebhookSender
        yield* receiver.behave(() => Effect.succeed(200))
        for (const number of upTo(5)) {
          const owing = makeOwingJob(number, { kind: "Deliver", dueAt: DateTime.makeUnsafe(0) })
          const delivery = owing.delivery?._tag === "Waiting" ? owing.delivery : assert.fail()
          yield* insertJob({ ...owing, delivery: { ...delivery, frozen: { balanceMillis: 1 } } })
        }
        const known = replace(JobStore, () => ({
          transcript: () => Effect.succeed(Option.some(transcript))
        }))
        yield* Layer.build(worker.pipe(Layer.provide(known)))
        yield* pass(30)
        assert.lengthOf(yield* receiver.received, 5)
      })
  )

  it.effect("has another id when nobody knows whether an old job sent the same before", () =>
    withCaller(function* (principal) {
      const receiver = yield* FakeWebhookSender
      const { kill, start } = yield* supervisor
      yield* receiver.behave((_, ordinal) => (ordinal === 1 ? kill : Effect.succeed(200)))
      yield* submit(principal, { ...callback, modifier: "plain_json" })
      // From a day on an outage is a failure like others.
      yield* TestClock.adjust("25 hours")
      yield* start
      yield* pass(400)
      const posts = yield* receiver.received
      const bodies = Map.groupBy(posts, ({ headers }) => headers["webhook-id"])
      for (const each of bodies.values()) {
        assert.strictEqual(new Set(each.map(({ body }) => body)).size, 1)
      }
    }).pipe(Effect.provide(slowToTell(1).pipe(Layer.provideMerge(deployment))))
  )

  it.effect("is kept for the attempts that follow", () =>
    withCaller(function* (principal) {
      const receiver = yield* FakeWebhookSender
      yield* receiver.behave((_, ordinal) => Effect.succeed(ordinal < 3 ? 500 : 200))
      yield* Layer.build(worker.pipe(Layer.provide(changing)))
      const job = yield* submit(principal, { ...callback, modifier: "plain_json" })
      yield* pass(130)
      const bodies = (yield* receiver.received).map(({ body }) => body)
      assert.lengthOf(bodies, 3)
      assert.strictEqual(new Set(bodies).size, 1)
      assert.strictEqual((yield* look(principal, job)).status, "WEBHOOK_DELIVERED")
    })
  )

  it.effect("that a dead process took along and nobody can make again is another webhook", () =>
    Effect.gen(function* () {
      const principal = yield* caller
      const receiver = yield* FakeWebhookSender
      const { kill, start } = yield* supervisor
      yield* receiver.behave((_, ordinal) => (ordinal === 1 ? kill : Effect.succeed(200)))
      yield* start
      const job = yield* submit(principal, { ...callback, modifier: "plain_json" })
      yield* pass(130)
      const posts = yield* receiver.received
      const [first, second] = posts.map(({ body, headers }) => [headers["webhook-id"], body])
      assert.lengthOf(posts, 2)
      assert.notStrictEqual(first?.[0], second?.[0])
      assert.notStrictEqual(first?.[1], second?.[1])
      assert.strictEqual((yield* look(principal, job)).status, "WEBHOOK_DELIVERED")
      const { events } = yield* Effect.flatMap(Jobs, (jobs) => jobs.history(principal, job.id))
      assert.include(
        events.map(({ event }) => event),
        "redelivery_requested"
      )
    }).pipe(Effect.provide(changing.pipe(Layer.provideMerge(deployment))))
  )
})

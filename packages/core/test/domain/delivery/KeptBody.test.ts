/** Tests that a later attempt sends the same bytes as the first, or uses a new webhook id. */
import { assert, describe, it } from "@effect/vitest"
import { FakeWebhookSender } from "@verbatim/testkit/fakes"
import { instant, makePendingJob } from "@verbatim/testkit/samples"
import { Effect, Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import { Event, type Frozen, transition } from "#src/domain/delivery/Delivery"
import { JobStore, JobStoreError, unanswered } from "#src/ports/JobStore"
import { Jobs } from "#src/services/jobs/Jobs"
import { callback, caller, pass, submit, withCaller } from "../../world/caller.ts"
import { replace } from "../../world/ports.ts"
import { supervisor } from "../../world/processes.ts"
import { deployment, worker } from "../../world/world.ts"

/**
 * A store that returns another transcript after the first read, as if a newer release rendered it.
 */
const rereading = (keepsBody: boolean) =>
  replace(JobStore, (store) => {
    let readings = 0
    return {
      keptBody: (id) => (keepsBody ? store.keptBody(id) : Effect.succeed(Option.none())),
      transcript: (id) =>
        Effect.map(store.transcript(id), (found) =>
          readings++ === 0
            ? found
            : Option.map(found, (transcript) => ({ ...transcript, segments: [] }))
        )
    }
  })

/** A store in which this many reads of the transcript fail. */
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

/** Returns the requests that a receiver gets if it refuses the first one. */
const receivedWith = Effect.fnUntraced(function* (keepsBody: boolean) {
  const principal = yield* caller
  const receiver = yield* FakeWebhookSender
  yield* receiver.behave((_, count) => Effect.succeed(count === 1 ? 500 : 200))
  yield* Layer.build(worker.pipe(Layer.provide(rereading(keepsBody))))
  yield* submit(principal, callback)
  yield* pass(180)
  const posts = yield* receiver.received
  return posts.map(({ body, headers }) => ({ body, id: headers["webhook-id"] }))
})

describe("A retried webhook", () => {
  it.effect("resends the stored bytes, whatever body the job would produce now", () =>
    Effect.gen(function* () {
      const [first, second, ...further] = yield* receivedWith(true)
      assert.isDefined(first)
      assert.deepStrictEqual(second, first)
      assert.deepStrictEqual(further, [])
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("has a new id if the first body was not stored and the second body differs", () =>
    Effect.gen(function* () {
      const [first, second] = yield* receivedWith(false)
      assert.isDefined(second)
      assert.notStrictEqual(second?.body, first?.body)
      assert.notStrictEqual(second?.id, first?.id)
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("resends the stored bytes even if the store was unreachable between the attempts", () =>
    withCaller(function* (principal) {
      const receiver = yield* FakeWebhookSender
      yield* receiver.behave((_, count) => Effect.succeed(count === 1 ? 500 : 200))
      const refusals: Array<string> = []
      const away = replace(JobStore, (store) => ({
        keptBody: (id) =>
          Effect.suspend(() => {
            if (refusals.length === 3) return store.keptBody(id)
            refusals.push(id)
            return unanswered("keptBody")
          }),
        // From now on, every body rendered from the job differs from the stored body.
        transcript: (id) =>
          Effect.map(
            store.transcript(id),
            Option.map((transcript) => ({ ...transcript, language: `l${refusals.length}` }))
          )
      }))
      yield* Layer.build(worker.pipe(Layer.provide(away)))
      yield* submit(principal, callback)
      yield* pass(200)
      assert.lengthOf(refusals, 3)
      const [first, second, ...further] = yield* receiver.received
      assert.strictEqual(second?.body, first?.body)
      assert.strictEqual(second?.headers["webhook-id"], first?.headers["webhook-id"])
      assert.deepStrictEqual(further, [])
    })
  )

  it.effect.each([1, 3])(
    "is never sent without a recorded digest, even if the store fails %d times",
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
    "has a new id if the job is more than a day old and may have sent different bytes",
    () =>
      withCaller(function* (principal) {
        const receiver = yield* FakeWebhookSender
        const { kill, start } = yield* supervisor
        yield* receiver.behave((_, ordinal) => (ordinal === 1 ? kill : Effect.succeed(200)))
        yield* submit(principal, { ...callback, modifier: "plain_json" })
        // Once a job is a day old, an outage counts as an ordinary failure.
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
})

const begun = (attempts: number, frozen: Frozen | null) => {
  const { delivery } = makePendingJob(1, { kind: "Deliver", dueAt: instant })
  const waiting = delivery?._tag === "Waiting" ? delivery : assert.fail()
  const event = Event.cases.AttemptStarted.make({ at: instant, frozen: { balanceMillis: 2 } })
  const next = Result.getOrThrow(transition({ ...waiting, attempts, frozen }, event))
  return next._tag === "Sending" ? next.frozen.balanceMillis : assert.fail()
}

describe("A webhook's frozen content", () => {
  it("is set by the first attempt", () => assert.strictEqual(begun(0, null), 2))

  it("is not changed by later attempts, whatever their events contain", () => {
    assert.strictEqual(begun(1, { balanceMillis: 1 }), 1)
    assert.strictEqual(begun(0, { balanceMillis: 1, digest: "00" }), 1)
  })

  it("is replaced if it has no digest and no request was sent", () =>
    assert.strictEqual(begun(0, { balanceMillis: 1 }), 2))
})

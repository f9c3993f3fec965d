/** Tests deleted jobs, resent webhooks, and the timestamps of these changes. */
import { assert, describe, it } from "@effect/vitest"
import { instant } from "@verbatim/testkit/samples"
import { DateTime, Effect, Layer, Option, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import { DeliveryId } from "#src/domain/delivery/Delivery"
import { idRange } from "#src/domain/job/JobListing"
import type { JobView } from "#src/domain/job/JobView"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { JobStore } from "#src/ports/JobStore"
import { Jobs } from "#src/services/jobs/Jobs"
import { RenewedTooOften, redelivery, revisionMax } from "#src/services/jobs/Renewals"
import { MediaIdentity } from "#src/services/tasks/MediaIdentity"
import {
  callback,
  caller,
  look,
  pass,
  received,
  submit,
  using,
  withCaller,
  withWorker
} from "../../world/caller.ts"
import { replace } from "../../world/ports.ts"
import { front, outside, worker } from "../../world/world.ts"

const historyOf = (principal: Principal, { id }: JobView) =>
  using((jobs) => jobs.history(principal, id))

describe("a deleted job", () => {
  it.effect("is still charged, and sends no webhook", () =>
    withWorker(function* (principal) {
      const job = yield* submit(principal, {})
      yield* pass(5)
      const { balance_minutes } = yield* look(principal, job)
      yield* using((jobs) => jobs.remove(principal, job.id))
      const next = yield* submit(principal, callback)
      yield* using((jobs) => jobs.remove(principal, next.id))
      yield* pass(5)
      assert.deepStrictEqual(yield* received, [])
      const last = yield* submit(principal, {})
      assert.strictEqual(last.balance_minutes, balance_minutes)
    })
  )
})

/** A store that deletes a job just before the job's transcript is read. */
const forgetful = ({ workspaceId }: Principal) =>
  replace(JobStore, (store) => ({
    transcript: (id) => Effect.andThen(store.remove(workspaceId, id), store.transcript(id))
  }))

/** A store that deletes each job as soon as it has been found. */
const deleting = replace(JobStore, (store) => ({
  find: (workspaceId, id) =>
    Effect.tap(store.find(workspaceId, id), () => store.remove(workspaceId, id))
}))

describe("a job that is deleted between two reads", () => {
  it.effect("is reported as missing, not as a job with an empty history", () =>
    Effect.gen(function* () {
      const principal = yield* caller
      const refusal = yield* Effect.flip(historyOf(principal, yield* submit(principal, {})))
      assert.strictEqual(refusal._tag, "RequestNotFound")
    }).pipe(Effect.provide(front.pipe(Layer.provideMerge(deleting), Layer.provideMerge(outside))))
  )

  it.effect("never leads to a webhook without the transcript", () =>
    withCaller(function* (principal) {
      yield* Layer.build(worker.pipe(Layer.provide(forgetful(principal))))
      yield* submit(principal, callback)
      yield* pass(5)
      assert.deepStrictEqual(yield* received, [])
    })
  )
})

describe("a resent webhook", () => {
  it.effect("is sent as a new delivery with its own id, and listed in the history", () =>
    withWorker(function* (principal) {
      const job = yield* submit(principal, callback)
      yield* pass(5)
      const again = yield* using((jobs) => jobs.redeliver(principal, job.id))
      assert.deepStrictEqual([again.status, again.webhook_status], ["TRANSCRIBED", "PENDING"])
      const pending = yield* Effect.flip(using((jobs) => jobs.redeliver(principal, job.id)))
      assert.strictEqual(pending._tag, "WebhookPending")
      yield* pass(5)
      const lately = yield* Effect.flip(using((jobs) => jobs.redeliver(principal, job.id)))
      assert.strictEqual(lately._tag, "RedeliveredLately")
      const sent = yield* received
      assert.lengthOf(sent, 2)
      assert.strictEqual(new Set(sent.map(({ headers }) => headers["webhook-id"])).size, 2)
      assert.strictEqual((yield* look(principal, job)).status, "WEBHOOK_DELIVERED")
      const history = yield* historyOf(principal, job)
      assert.deepStrictEqual(
        history.webhook_attempts.map(({ attempt, delivery, status_code }) => [
          delivery,
          attempt,
          status_code
        ]),
        [
          [1, 1, 200],
          [2, 1, 200]
        ]
      )
    })
  )
})

describe("a request to resend a webhook", () => {
  it.effect("is refused once the job's history is too long", () =>
    withWorker(function* (principal) {
      const { id } = yield* submit(principal, callback)
      yield* pass(5)
      const store = yield* JobStore
      const found = yield* store.find(principal.workspaceId, JobId.make(id))
      const job = Option.getOrThrow(found)
      const at = yield* store.now
      const ask = (revision: number) =>
        redelivery(
          { ...job, revision },
          at,
          DeliveryId.make("00000000-0000-7000-8000-000000000001")
        )
      assert.isTrue(Result.isSuccess(ask(revisionMax - 1)))
      assert.deepStrictEqual(ask(revisionMax), Result.fail(new RenewedTooOften()))
    })
  )
})

describe("a list of jobs", () => {
  it.effect.prop(
    "finds a new job by date even if the clocks of the process and the store differ",
    {
      apart: Schema.Int.check(Schema.isBetween({ minimum: -60 * 24 * 40, maximum: 60 * 24 * 40 }))
    },
    ({ apart }) =>
      Effect.gen(function* () {
        // The clock advances first, so that a store with a slow clock shows no time before 1970.
        yield* TestClock.setTime(DateTime.toEpochMillis(instant))
        const skewed = replace(JobStore, ({ now }) => ({
          now: Effect.map(now, (at) => DateTime.add(at, { minutes: apart }))
        }))
        const shifted = front.pipe(Layer.provideMerge(skewed), Layer.provideMerge(outside))
        return yield* Effect.gen(function* () {
          const principal = yield* caller
          const { id } = yield* submit(principal, {})
          const { now } = yield* JobStore
          const at = yield* now
          const list = (wanted: object) =>
            Effect.map(
              using((jobs) => jobs.list(principal, wanted)),
              ({ data }) => data.map((job) => job.id)
            )
          const createdFrom = DateTime.subtract(at, { minutes: 1 })
          const createdBefore = DateTime.add(at, { minutes: 1 })
          const [since, until] = [createdFrom, createdBefore].map(DateTime.formatIso)
          assert.deepStrictEqual(yield* list({ createdAfter: since }), [id])
          assert.deepStrictEqual(yield* list({ createdBefore: until }), [id])
          // Databases read only jobs with ids in this range.
          const { below = "", from = "" } = idRange({ createdBefore, createdFrom })
          assert.isTrue(from <= id && id < below, `${from} ${id} ${below}`)
        }).pipe(Effect.provide(Layer.fresh(shifted)))
      })
  )
})

const storeTime = DateTime.makeUnsafe("2026-01-02T03:04:05.678Z")

const withOwnTime = replace(JobStore, () => ({ now: Effect.succeed(storeTime) }))

const behind = front.pipe(
  Layer.provideMerge(MediaIdentity.layer),
  Layer.provideMerge(withOwnTime),
  Layer.provideMerge(outside)
)

const ahead = DateTime.toEpochMillis(storeTime) + 3_600_000

describe("Jobs in a process with a clock that is an hour ahead", () => {
  it.effect("take their acceptance and redelivery timestamps from the store's clock", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(ahead)
      const principal = yield* caller
      const jobs = yield* Jobs
      const job = yield* submit(principal, callback)
      const { data } = yield* jobs.list(principal, {})
      assert.deepStrictEqual(
        data.map(({ created_at }) => created_at),
        [DateTime.formatIso(storeTime)]
      )
      yield* Layer.build(worker)
      yield* pass(3)
      assert.strictEqual((yield* look(principal, job)).status, "WEBHOOK_DELIVERED")
      yield* jobs.redeliver(principal, job.id)
      const { events } = yield* jobs.history(principal, job.id)
      const requested = events.find(({ event }) => event === "redelivery_requested")
      assert.strictEqual(requested?.at, DateTime.formatIso(storeTime))
    }).pipe(Effect.scoped, Effect.provide(behind))
  )
})

/** Jobs get their times from the store's clock if the process's clock differs. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { JobStore } from "#src/ports/JobStore"
import { Jobs } from "#src/services/jobs/Jobs"
import { MediaIdentity } from "#src/services/tasks/MediaIdentity"
import { callback, caller, look, pass, submit } from "../../world/caller.ts"
import { replace } from "../../world/replace.ts"
import { front, outside, worker } from "../../world/world.ts"

const storeTime = DateTime.makeUnsafe("2026-01-02T03:04:05.678Z")

const withOwnTime = replace(JobStore, () => ({ now: Effect.succeed(storeTime) }))

const behind = front.pipe(
  Layer.provideMerge(MediaIdentity.layer),
  Layer.provideMerge(withOwnTime),
  Layer.provideMerge(outside)
)

const ahead = DateTime.toEpochMillis(storeTime) + 3_600_000

describe("Jobs in a process with a clock that is an hour ahead", () => {
  it.effect("get the times of their acceptance and redelivery from the store's clock", () =>
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

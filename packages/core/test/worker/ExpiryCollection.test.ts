/**
 * Old jobs are removed only if the store's clock has agreed with the process's clock for a while.
 */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { JobStore } from "#src/ports/JobStore"
import { collecting, collectingOver, retain, work } from "../services/retention/OldJobs.ts"
import { look, submit, withCaller } from "../world/caller.ts"
import { replace } from "../world/ports.ts"

describe("Old jobs", () => {
  it.effect(
    "are kept if a process starts with a clock that is 40 days ahead and then corrected",
    () =>
      withCaller(function* (principal) {
        const job = yield* submit(principal, {})
        yield* work
        yield* retain(principal, { jobDays: 30 })
        yield* Effect.gen(function* () {
          let ahead = Duration.days(40)
          const wrong = replace(JobStore, ({ now }) => ({
            now: Effect.map(now, (at) => DateTime.addDuration(at, ahead))
          }))
          const started = yield* Layer.build(collectingOver(wrong))
          yield* TestClock.adjust("59 minutes")
          assert.strictEqual((yield* look(principal, job)).status, "COMPLETED")
          ahead = Duration.zero
          yield* TestClock.adjust("5 hours")
          // After another jump forward, no data is removed for an hour.
          ahead = Duration.days(40)
          yield* TestClock.adjust("55 minutes")
          assert.strictEqual((yield* look(principal, job)).status, "COMPLETED")
          ahead = Duration.zero
          yield* TestClock.adjust("5 hours")
          assert.strictEqual((yield* look(principal, job)).status, "COMPLETED")
          return started
        }).pipe(Effect.scoped)
        yield* collecting
        yield* TestClock.adjust("31 days")
        assert.strictEqual((yield* Effect.flip(look(principal, job)))._tag, "RequestNotFound")
      })
  )
})

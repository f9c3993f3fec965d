/** Each limit, and each kind of data that retention removes, has its own metric series. */
import { assert, describe, it } from "@effect/vitest"
import { counted, withRegistry } from "@verbatim/testkit/fakes"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"

import { noLimits } from "#src/domain/workspace/Limits"

import { RequestLimits } from "#src/services/workspaces/RequestLimits"
import { retain, work } from "../services/retention/OldJobs.ts"
import { submit, withCaller } from "../world/caller.ts"

const refusals = (limit: string, of: string) =>
  counted("verbatim_limit_refusals_total", { limit, of })

describe("a refusal by a limit", () => {
  it.effect("is counted by key and by workspace if requests per second are limited", () =>
    withRegistry(
      withCaller(function* (principal) {
        const { admit } = yield* RequestLimits
        const one = { ...noLimits, requestsPerSecond: 1 }
        for (const [of, limited] of [
          ["key", { ...principal, limits: one }],
          ["workspace", { ...principal, workspaceLimits: one }]
        ] as const) {
          yield* admit(limited)
          yield* Effect.flip(admit(limited))
          yield* Effect.flip(admit(limited))
          assert.strictEqual(yield* refusals("requestsPerSecond", of), 2)
        }
        yield* admit(principal)
      }).pipe(Effect.provide(RequestLimits.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))))
    )
  )

  it.effect("is counted separately for unfinished jobs and minutes per day", () =>
    withRegistry(
      withCaller(function* (principal) {
        const one = { ...principal, limits: { ...noLimits, unfinishedJobs: 1 } }
        yield* submit(one, {})
        yield* Effect.flip(submit(one, {}))
        assert.strictEqual(yield* refusals("unfinishedJobs", "key"), 1)
        yield* work
        yield* submit(one, {})
        yield* retain(principal, { minutesPerDay: 1 })
        yield* Effect.flip(submit(principal, {}))
        assert.strictEqual(yield* refusals("minutesPerDay", "workspace"), 1)
        assert.strictEqual(yield* refusals("unfinishedJobs", "key"), 1)
      })
    )
  )
})

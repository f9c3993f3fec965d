/** Each limit and each kind of thing that retention takes has a series of its own. */
import { assert, describe, it } from "@effect/vitest"
import { counted, FakeEngines, withRegistry } from "@verbatim/testkit/fakes"
import { Duration, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { MediaRetention } from "#src/domain/job/MediaRetention"
import { noLimits } from "#src/domain/workspace/Limits"
import { AudioDecoderError } from "#src/ports/AudioDecoder"
import { RequestLimits } from "#src/services/workspaces/RequestLimits"
import { collecting, noise, retain, work } from "../services/retention/OldJobs.ts"
import { callback, submit, withCaller } from "../world/caller.ts"

const refusals = (limit: string, of: string) =>
  counted("verbatim_limit_refusals_total", { limit, of })

const removals = Effect.all(
  ["media", "results", "job"].map((kind) => counted("verbatim_retention_removals_total", { kind }))
)

describe("what is refused by a limit", () => {
  it.effect("is counted as requests in a second, of a key and of a workspace", () =>
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

  it.effect("is counted as unfinished jobs of a key, and as minutes of a day", () =>
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

describe("what retention takes", () => {
  it.effect("is counted once for each thing that went", () =>
    withRegistry(
      withCaller(function* (principal) {
        const engines = yield* FakeEngines
        yield* submit(principal, { ...callback, summary: "brief" })
        yield* work
        yield* engines.script({ decode: new AudioDecoderError({ reason: noise }) })
        yield* submit(principal, {})
        yield* work
        yield* retain(principal, { mediaDays: 1, transcriptDays: 3, jobDays: 5 })
        yield* collecting
        const seen: Array<ReadonlyArray<number | undefined>> = []
        for (const days of [1, 2, 2]) {
          yield* TestClock.adjust(Duration.sum(Duration.days(days), Duration.hours(3)))
          seen.push(yield* removals)
        }
        assert.deepStrictEqual(seen, [
          [2, undefined, undefined],
          // A failed job keeps no text, and it is noted of it that its results went.
          [2, 2, undefined],
          [2, 2, 2]
        ])
      }).pipe(Effect.provideService(MediaRetention, { isKept: true, failedFor: Duration.days(7) }))
    )
  )
})

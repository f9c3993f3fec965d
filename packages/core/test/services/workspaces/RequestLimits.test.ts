/** The limit on requests per second applies across processes that share a store. */
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@verbatim/adapters/memory"
import { apiKeyId, upTo, userId, workspaceId } from "@verbatim/testkit/samples"
import { Clock, Duration, Effect, Fiber, Layer, Logger, Ref, Schema } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { noLimits } from "#src/domain/workspace/Limits"
import { RequestLimits } from "#src/services/workspaces/RequestLimits"

const principal = ({
  key = null,
  workspace = null
}: Partial<Record<"key" | "workspace", number | null>>): Principal => ({
  kind: "inference",
  workspaceId: workspaceId(1),
  userId: userId(1),
  keyId: apiKeyId(1),
  limits: { ...noLimits, requestsPerSecond: key },
  workspaceLimits: { ...noLimits, requestsPerSecond: workspace }
})

type Service = RequestLimits["Service"]

const isAdmitted = (limits: Service, caller: Principal) =>
  Effect.map(Effect.result(limits.admit(caller)), ({ _tag }) => _tag === "Success")

/** Several processes that share a store. */
const processes = (count: number) =>
  Effect.forEach(upTo(count), () =>
    Effect.map(Layer.build(Layer.fresh(RequestLimits.layer)), (context) =>
      RequestLimits.of(context.mapUnsafe.get(RequestLimits.key) as Service)
    )
  )

/** A store that counts its calls and can fail. */
const watched = (answer: "answers" | "fails" | "hangs" | "dies" = "answers") =>
  Effect.gen(function* () {
    const calls = yield* Ref.make(0)
    const reason = new RateLimiter.RateLimitStoreError({ message: "down" })
    const troubles = {
      answers: undefined,
      fails: Effect.fail(new RateLimiter.RateLimiterError({ reason })),
      hangs: Effect.never,
      dies: Effect.die("broken")
    }
    const layer = Layer.effect(
      RateLimiter.RateLimiterStore,
      Effect.map(RateLimiter.RateLimiterStore, (store) => ({
        ...store,
        tokenBucket: (options: Parameters<typeof store.tokenBucket>[0]) =>
          Effect.andThen(
            Ref.update(calls, (count) => count + 1),
            troubles[answer] ?? store.tokenBucket(options)
          )
      }))
    ).pipe(Layer.provide(RateLimiter.layerStoreMemory))
    return { calls, layer }
  })

/** A request to one of the processes, with its time in milliseconds. */
const Arrival = Schema.Struct({
  after: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 })),
  count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 })),
  process: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 }))
})

describe("requests per second", () => {
  it.effect.prop(
    "never exceed the limit across all processes",
    {
      arrivals: Schema.Array(Arrival).check(Schema.isMinLength(1), Schema.isMaxLength(40)),
      limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 }))
    },
    ({ arrivals, limit }) =>
      Effect.gen(function* () {
        const members = yield* processes(3)
        const caller = principal({ workspace: limit })
        const admitted: Array<number> = []
        for (const { after, count, process } of arrivals) {
          yield* TestClock.adjust(Duration.millis(after))
          const now = yield* Clock.currentTimeMillis
          const limits = members[process]
          if (limits === undefined) return false
          for (const _ of upTo(count)) {
            if (yield* isAdmitted(limits, caller)) admitted.push(now)
          }
        }
        for (const [index, from] of admitted.entries()) {
          for (const [later, to] of admitted.entries()) {
            if (later < index) continue
            const most = limit + (limit * (to - from)) / 1_000
            assert.isAtMost(later - index + 1, most)
          }
        }
        // The bucket is full at the start, so at least one request is admitted.
        assert.isAtLeast(admitted.length, 1)
        return true
      }).pipe(Effect.scoped, Effect.provide(Memory.layer, { local: true }))
  )

  it.effect("are refused for as long as the refusal says, and then admitted", () =>
    Effect.gen(function* () {
      const [limits] = yield* processes(1)
      assert.isDefined(limits)
      const caller = principal({ key: 2, workspace: 100 })
      const outcomes = yield* Effect.forEach(upTo(4), () => isAdmitted(limits, caller))
      assert.deepStrictEqual(outcomes, [true, true, false, false])
      const refusal = yield* Effect.flip(limits.admit(caller))
      assert.strictEqual(refusal.of, "key")
      assert.strictEqual(Duration.toMillis(refusal.retryAfter), 500)
      yield* TestClock.adjust(refusal.retryAfter)
      assert.isTrue(yield* isAdmitted(limits, caller))
      assert.isFalse(yield* isAdmitted(limits, caller))
    }).pipe(Effect.scoped, Effect.provide(Memory.layer))
  )

  it.effect("cause no queries without a limit or after a recent refusal", () =>
    Effect.gen(function* () {
      const { calls, layer } = yield* watched()
      yield* Effect.gen(function* () {
        const limits = yield* RequestLimits
        for (const _ of upTo(100)) yield* limits.admit(principal({}))
        assert.strictEqual(yield* Ref.get(calls), 0)
        const outcomes = yield* Effect.forEach(
          upTo(1_000),
          () => isAdmitted(limits, principal({ workspace: 100 })),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(outcomes.filter((each) => each).length, 100)
        assert.isAtMost(yield* Ref.get(calls), 104)
      }).pipe(Effect.provide(Layer.provide(RequestLimits.layer, layer)))
    })
  )

  it.effect("are still admitted after the machine's clock is set back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Duration.toMillis("2 hours"))
      const now = Clock.currentTimeMillis
      const begun = yield* now
      const store = RateLimiter.RateLimiterStore.of({
        // The clock of the database server, which is not set back.
        tokenBucket: () => Effect.succeed([(isFull ? -1 : 0) as number, 0] as const),
        fixedWindow: () => Effect.die("not called"),
        adaptiveConsume: () => Effect.die("not called"),
        adaptiveFeedback: () => Effect.die("not called")
      })
      let isFull = true
      yield* Effect.gen(function* () {
        const limits = yield* RequestLimits
        const caller = principal({ workspace: 1 })
        assert.isFalse(yield* isAdmitted(limits, caller))
        yield* TestClock.setTime(begun - Duration.toMillis("1 hour"))
        isFull = false
        yield* TestClock.adjust("1 second")
        assert.isTrue(yield* isAdmitted(limits, caller))
      }).pipe(
        Effect.provide(
          Layer.provide(RequestLimits.layer, Layer.succeed(RateLimiter.RateLimiterStore, store))
        )
      )
    })
  )

  for (const trouble of ["fails", "dies", "hangs"] as const) {
    it.effect(`are admitted while the store ${trouble}, and the outage is logged once`, () =>
      Effect.gen(function* () {
        const { calls, layer } = yield* watched(trouble)
        const reported: Array<string> = []
        const logger = Logger.make(({ message }) => {
          reported.push(String(message))
        })
        yield* Effect.gen(function* () {
          const limits = yield* RequestLimits
          const many = Effect.forEach(
            upTo(20),
            () => isAdmitted(limits, principal({ workspace: 1 })),
            { concurrency: "unbounded" }
          )
          for (const round of upTo(3)) {
            const running = yield* Effect.forkChild(many)
            yield* TestClock.adjust("600 millis")
            assert.isTrue((yield* Fiber.join(running)).every((each) => each))
            assert.isAtMost(yield* Ref.get(calls), 4 * round)
            yield* TestClock.adjust("1 second")
          }
        }).pipe(
          Effect.provide(Layer.provide(RequestLimits.layer, layer)),
          Effect.provide(Logger.layer([logger]))
        )
        assert.deepStrictEqual(reported, ["Requests are not limited: the store does not answer"])
      })
    )
  }
})

/** Each write has one deadline, which is counted from the start of the call. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import {
  InHostTransaction,
  makeRetryUnknownOutcome,
  remainingWait,
  withDeadline,
  withLockDeadline,
  writeTimeout
} from "#src/ports/Deadline"
import { JobStore, JobStoreError } from "#src/ports/JobStore"
import { PresetStoreError } from "#src/ports/PresetStore"
import { caller, stored, submit } from "../world/caller.ts"
import { replace } from "../world/ports.ts"
import { front, deployment as world } from "../world/world.ts"
import { created, deployment, designated, Interference } from "./presets/Deployment.ts"

const beforeDeadline = Duration.subtract(writeTimeout, Duration.millis(1))

const timeoutError = () => "timeoutError" as const

describe("A write's deadline", () => {
  it.effect("is set by the outermost write, and limits how long inner writes wait for locks", () =>
    Effect.gen(function* () {
      const inner = Effect.andThen(
        TestClock.adjust("3 seconds"),
        withDeadline({ timeoutError })(remainingWait)
      )
      assert.strictEqual(Duration.toMillis(yield* withDeadline({ timeoutError })(inner)), 1_900)
      assert.strictEqual(
        Duration.toMillis(
          yield* withLockDeadline(Duration.seconds(1))(
            withDeadline({ timeoutError })(remainingWait)
          )
        ),
        900
      )
      assert.isFalse(Duration.isFinite(yield* remainingWait))
    })
  )

  it.effect("is not set in a host's transaction", () =>
    Effect.gen(function* () {
      const left = withDeadline({ timeoutError })(remainingWait)
      const inHosts = Effect.provideService(left, InHostTransaction, true)
      assert.isFalse(Duration.isFinite(yield* inHosts))
    })
  )

  it.effect("ends the retries of a write if all its responses are lost", () =>
    Effect.gen(function* () {
      let tries = 0
      const retryUnknownOutcome = makeRetryUnknownOutcome<string>({
        isOutcomeUnknown: () => true,
        isInconclusive: () => false,
        timeoutError
      })
      const write = Effect.suspend(() => {
        tries += 1
        return Effect.andThen(Effect.sleep("4 seconds"), Effect.fail("lost"))
      })
      const fiber = yield* Effect.forkChild(Effect.flip(retryUnknownOutcome(write)))
      yield* TestClock.adjust(beforeDeadline)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "timeoutError")
      assert.strictEqual(tries, 2)
    })
  )
})

describe("Callers that change the same preset while its store hangs", () => {
  it.effect(
    "are refused at the deadline, with a contention error if they waited for the lock",
    () =>
      Effect.gen(function* () {
        const interference = yield* Interference
        yield* created(1)
        yield* created(2)
        interference.before = Effect.never
        const fibers = yield* Effect.forEach([1, 1, 1, 1], (version) =>
          Effect.forkChild(Effect.exit(designated(version)), { startImmediately: true })
        )
        yield* TestClock.adjust(writeTimeout)
        const reasons = fibers.map((fiber) => {
          const exit = fiber.pollUnsafe()
          if (exit === undefined || !Exit.isSuccess(exit) || !Exit.isFailure(exit.value))
            return "none"
          const [failure] = exit.value.cause.reasons
          return failure?._tag === "Fail" && failure.error instanceof PresetStoreError
            ? failure.error.reason._tag
            : "other"
        })
        assert.deepStrictEqual(reasons, ["Unavailable", "Contended", "Contended", "Contended"])
      }).pipe(Effect.provide(deployment))
  )
})

describe("A submission with a locked idempotency key", () => {
  it.effect("is tried once, gets a contention error, and leaves no file", () =>
    Effect.gen(function* () {
      let tries = 0
      const contended = replace(JobStore, () => ({
        insert: () =>
          Effect.suspend(() => {
            tries += 1
            return Effect.fail(
              new JobStoreError({ operation: "insert", reason: { _tag: "Contended" } })
            )
          })
      }))
      const principal = yield* caller
      const services = Layer.fresh(front.pipe(Layer.provide(contended)))
      const error = yield* Effect.flip(Effect.provide(submit(principal, {}), services))
      assert.strictEqual(error instanceof JobStoreError && error.reason._tag, "Contended")
      assert.strictEqual(tries, 1)
      assert.deepStrictEqual(yield* stored, [])
    }).pipe(Effect.provide(world))
  )
})

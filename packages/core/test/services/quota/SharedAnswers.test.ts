/** Concurrent callers share one query's result or failure. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { shareInFlight } from "#src/services/quota/SharedAnswers"

const interval = Duration.seconds(10)

/** A query that counts its runs, and returns only after a signal. */
const makeQuestion = <A, E>(answer: (ordinal: number) => Effect.Effect<A, E>) =>
  Effect.map(Deferred.make<void>(), (word) => {
    const state = { runs: 0, underway: 0, most: 0 }
    const question = Effect.suspend(() => {
      state.runs += 1
      state.underway += 1
      state.most = Math.max(state.most, state.underway)
      const ordinal = state.runs
      return Effect.ensuring(
        Effect.andThen(Deferred.await(word), answer(ordinal)),
        Effect.sync(() => {
          state.underway -= 1
        })
      )
    })
    return { question, state, speak: Deferred.succeed(word, undefined) }
  })

describe("a shared query", () => {
  it.effect("returns its result to the other callers even if its first caller has left", () =>
    Effect.gen(function* () {
      const { question, speak, state } = yield* makeQuestion(Effect.succeed)
      const shared = shareInFlight(question, interval)
      const first = yield* Effect.forkChild(shared)
      const second = yield* Effect.forkChild(shared)
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(first)
      yield* speak
      assert.strictEqual(yield* Fiber.join(second), 1)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(first)))
      assert.strictEqual(state.runs, 1)
    })
  )

  it.effect("runs again after the interval, but only one run at a time", () =>
    Effect.gen(function* () {
      const { question, speak, state } = yield* makeQuestion(Effect.succeed)
      const shared = shareInFlight(question, interval)
      yield* Effect.forkChild(shared)
      // The query takes longer than the interval, so callers wait for its result.
      yield* TestClock.adjust("1 minute")
      const late = yield* Effect.forkChild(shared)
      yield* TestClock.adjust("1 second")
      yield* speak
      assert.strictEqual(yield* Fiber.join(late), 1)
      // The interval is counted from the start of the query, not from its end.
      assert.strictEqual(yield* shared, 2)
      yield* TestClock.adjust("9 seconds")
      assert.strictEqual(yield* shared, 2)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* shared, 3)
      assert.deepStrictEqual(state, { runs: 3, underway: 0, most: 1 })
    })
  )

  for (const [what, fail] of [
    ["a failure", () => Effect.fail("it is down")],
    ["a defect", () => Effect.die("it is down")],
    ["its own interruption", () => Effect.interrupt]
  ] as const) {
    it.effect(`returns ${what} to all callers until the interval has passed`, () =>
      Effect.gen(function* () {
        const { question, speak, state } = yield* makeQuestion((ordinal) =>
          ordinal === 1 ? fail() : Effect.succeed(ordinal)
        )
        const shared = shareInFlight(question, interval)
        const asking = yield* Effect.forEach([1, 2], () => Effect.forkChild(shared))
        yield* speak
        for (const runs of asking) assert.isTrue(Exit.isFailure(yield* Fiber.await(runs)))
        yield* TestClock.adjust("9 seconds")
        assert.isTrue(Exit.isFailure(yield* Effect.exit(shared)))
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* shared, 2)
        assert.strictEqual(state.runs, 2)
      })
    )
  }
})

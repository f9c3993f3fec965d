/**
 * Tests that traced functions behave like plain ones, and that they have spans only if tracing is
 * on.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, References, Tracer } from "effect"
import { trace } from "#src/ports/Trace"

/** Adds two numbers, or fails with the first number if that number is negative. */
const add = trace("Sums.add")(
  function* (one: number, other: number) {
    if (one < 0) return yield* Effect.fail(one)
    return yield* Effect.succeed(one + other)
  },
  (effect, one) => Effect.map(effect, (sum) => `${one}: ${sum}`)
)

const double = trace("Sums.double")((number: number) => Effect.sync(() => 2 * number))

/** Runs an effect and returns the names of its spans. */
const spansOf = Effect.fnUntraced(function* (effect: Effect.Effect<unknown, unknown>) {
  const names: Array<string> = []
  const tracer = Tracer.make({
    span: (options) => {
      names.push(options.name)
      return new Tracer.NativeSpan(options)
    }
  })
  yield* Effect.exit(Effect.withTracer(effect, tracer))
  return names
})

describe("A function wrapped with trace", () => {
  for (const isOn of [true, false]) {
    const tracing = Effect.provideService(References.TracerEnabled, isOn)

    it.effect(
      `returns and fails like the plain function if tracing is ${isOn ? "on" : "off"}`,
      () =>
        Effect.gen(function* () {
          assert.strictEqual(yield* add(1, 2), "1: 3")
          assert.strictEqual(yield* Effect.flip(add(-1, 2)), -1)
          const again = double(4)
          assert.deepStrictEqual([yield* again, yield* again], [8, 8])
        }).pipe(tracing)
    )

    it.effect(`has ${isOn ? "a" : "no"} span if tracing is ${isOn ? "on" : "off"}`, () =>
      Effect.gen(function* () {
        const names = yield* spansOf(Effect.andThen(add(1, 2), double(3)))
        assert.deepStrictEqual(names, isOn ? ["Sums.add", "Sums.double"] : [])
        assert.deepStrictEqual(yield* spansOf(add(-1, 2)), isOn ? ["Sums.add"] : [])
      }).pipe(tracing)
    )
  }
})

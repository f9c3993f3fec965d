/**
 * Assertions for contract cases, written as effects that fail, so that they need no test runner. A
 * test runner that knows an error's `expected` and `actual` fields shows the difference.
 */
import { Effect, Equal, Formatter, Result, Schema } from "effect"

/** Maximum length of a value shown in a failure. A 20 MB transcript would explain nothing. */
const shownMax = 2_000

/** A broken guarantee of a port. */
export class PromiseBroken extends Schema.TaggedError<PromiseBroken>()("PromiseBroken", {
  promise: Schema.String,
  expected: Schema.String,
  actual: Schema.String
}) {
  override get message(): string {
    return `not kept: ${this.promise} (expected ${this.expected}, got ${this.actual})`
  }
}

const showValue = (value: unknown): string => {
  const text = Formatter.format(value)
  return text.length > shownMax ? `${text.slice(0, shownMax)}… (${text.length} characters)` : text
}

/**
 * Names a value for failure messages. The returned `is` fails unless the value structurally equals
 * the expected value.
 */
export const that = <A>(promise: string, actual: A) => ({
  is: (expected: NoInfer<A>): Effect.Effect<void, PromiseBroken> =>
    Effect.suspend(() => {
      if (Equal.equals(actual, expected)) return Effect.void
      return new PromiseBroken({
        promise,
        expected: showValue(expected),
        actual: showValue(actual)
      })
    })
})

/** Fails unless the effect succeeds with a value that structurally equals the expected value. */
export const gives =
  <A, E, R>(promise: string, expected: NoInfer<A>) =>
  (effect: Effect.Effect<A, E, R>): Effect.Effect<void, E | PromiseBroken, R> =>
    Effect.flatMap(effect, (actual) => that(promise, actual).is(expected))

export const holds = (promise: string, condition: boolean): Effect.Effect<void, PromiseBroken> =>
  that(promise, condition).is(true)

/** Fails unless the effect fails with a `reason` that has the given tag. */
export const refuses = <A, E extends { readonly reason: { readonly _tag: string } }, R>(
  attempted: Effect.Effect<A, E, R>,
  tag: E["reason"]["_tag"]
): Effect.Effect<void, PromiseBroken, R> =>
  Effect.flatMap(Effect.result(attempted), (outcome) =>
    that(
      `refuses with ${tag}`,
      Result.isFailure(outcome) ? outcome.failure.reason._tag : "success"
    ).is(tag)
  )

/**
 * Assertions for contract cases. They are effects that fail, and need no test runner. A runner that
 * knows an error's `expected` and `actual` fields shows the difference.
 */

import { Effect, Equal, Formatter, Result, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"

/** Maximum length of a value in a failure. A 20 MB transcript would explain nothing. */
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

/** Fails unless exactly one outcome is true. Returns that outcome's number, counted from 1. */
export const oneWins = (
  promise: string,
  outcomes: ReadonlyArray<boolean>
): Effect.Effect<number, PromiseBroken> =>
  Effect.as(that(promise, outcomes.filter(Boolean).length).is(1), outcomes.indexOf(true) + 1)

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

// Tests properties with generated values, and decides how many to try.

/**
 * `npm test` stays fast by trying few values and cases. `npm run test:all` sets `VERBATIM_TEST` to
 * `all`, and tries more.
 */

const isWhole = process.env.VERBATIM_TEST === "all"

/** Returns the usual number of runs, or three times as many in `npm run test:all`. */
export const scaleRuns = (usual: number): number => (isWhole ? 3 * usual : usual)

/** Returns one in `share` similar cases, or all cases in `npm run test:all`. */
export const chooseCases = <A>(cases: ReadonlyArray<A>, share: number): ReadonlyArray<A> =>
  isWhole ? cases : cases.filter((_, index) => index % share === 0)

/** Default number of runs per property. One run of a law takes milliseconds. */
const runsDefault = 100

/**
 * Fails unless all values pass. The error contains the smallest counterexample and explains how to
 * replay the run.
 */
export const always = <A>(
  promise: string,
  tried: {
    readonly of: Arbitrary.Arbitrary<A>
    readonly holds: (value: A) => boolean
    /** The number of runs that `npm test` makes. */
    readonly runs?: number
  }
): Effect.Effect<void, PromiseBroken> =>
  Effect.flatMap(
    Arbitrary.checkEffect(tried.of, tried.holds, { runs: scaleRuns(tried.runs ?? runsDefault) }),
    (result) => {
      const failure = Arbitrary.formatCheckFailure(result)
      return failure === undefined
        ? Effect.void
        : new PromiseBroken({ promise, expected: "no counterexample", actual: failure })
    }
  )

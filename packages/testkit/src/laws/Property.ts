/** Tests a law as a property over generated values. */
import { Effect } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { PromiseBroken } from "../contracts/Expect.ts"
import { scaleRuns } from "./Runs.ts"

/** Number of runs per property: the usual default. One run of a law takes milliseconds. */
const runsDefault = 100

/**
 * Fails unless all values pass. The error contains the smallest counterexample, and explains how to
 * replay it.
 */
export const always = <A>(
  promise: string,
  tried: {
    readonly of: Arbitrary.Arbitrary<A>
    readonly holds: (value: A) => boolean
    /** The number of runs, multiplied according to the environment. */
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

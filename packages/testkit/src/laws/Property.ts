/** Tests a law as a property over generated values, and decides how many to test. */

import { Effect } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { PromiseBroken } from "../contracts/Expect.ts"

/**
 * `npm test` tries few values and cases to stay fast. `npm run test:all`, which sets
 * `VERBATIM_TEST` to `all`, tries more.
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
    /** The number of runs, scaled according to the environment. */
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

/** One command of many, and what its parameters are chosen from. */
import type { Stores } from "@verbatim/core/ports"
import type { Effect } from "effect"
import * as fc from "fast-check"

/** What to do, given the number of the step, which makes identities that must be new. */
export interface Step {
  readonly shown: string
  readonly run: (number: number) => Effect.Effect<unknown, unknown, Stores>
}

export const to = (max: number) => fc.integer({ min: 1, max })

export const texts = fc.constantFrom("a", "A")

export const page = fc.record({
  offset: fc.integer({ min: 0, max: 3 }),
  limit: fc.integer({ min: 0, max: 3 })
})

/** Seconds before or after the instant at which a run begins. */
export const seconds = fc.integer({ min: -5, max: 45 })

/** A command with its parameters, which a failure shows. */
export const step = <A>(
  name: string,
  parameters: fc.Arbitrary<A>,
  run: (parameters: A, number: number) => Effect.Effect<unknown, unknown, Stores>
): fc.Arbitrary<Step> =>
  parameters.map((given) => ({
    shown: `${name} ${JSON.stringify(given)}`,
    run: (number) => run(given, number)
  }))

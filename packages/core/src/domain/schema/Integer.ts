/**
 * Integers of any size: a seed may have 64 bits, and 2^53 is an integer like any other.
 */
import { Schema } from "effect"

/** A number without a fraction. */
export const Integer = Schema.Finite.check(
  Schema.makeFilter<number>((value) => Number.isInteger(value), {
    expected: "an integer",
    arbitraryConstraint: { number: "integer" },
    toJsonSchema: () => ({ type: "integer" })
  })
)

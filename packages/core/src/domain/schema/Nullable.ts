/**
 * Plain values of a request that may be null, which says the same as leaving them out.
 */
import { Schema } from "effect"
import { Integer } from "./Integer.ts"

/** A finite number, or null. */
export const NumberOrNull = Schema.NullOr(Schema.Finite)
/** An integer, or null. */
export const IntOrNull = Schema.NullOr(Integer)
/** Text, or null. */
export const TextOrNull = Schema.NullOr(Schema.String)
/** True, false, or null. */
export const FlagOrNull = Schema.NullOr(Schema.Boolean)

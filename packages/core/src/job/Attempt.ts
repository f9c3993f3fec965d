/**
 * Counting attempts. An attempt counts from the commit that begins it, before any work is done, so
 * that a crash can never give one away for nothing.
 */
import { Schema } from "effect"

/** How many attempts were spent so far. */
export const AttemptsSpent = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Ordinal of the attempt under way; the first is 1. */
export const AttemptNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

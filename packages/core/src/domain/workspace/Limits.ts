/**
 * The limits of a workspace or a key. There are no limits unless an operator sets them.
 */
import { Schema, Struct } from "effect"
import { Integer } from "../schema/ObjectSchemas.ts"
import { numberAtLeast, numberAtMost } from "../schema/Rule.ts"

const countTo = (max: number) => Integer.check(numberAtLeast(1), numberAtMost(max))

/** The range of each limit. Larger numbers would have no effect. */
export const limitRules = {
  requestsPerSecond: countTo(100_000),
  /** Maximum number of unfinished jobs at a time. */
  unfinishedJobs: countTo(1_000_000_000),
  /** Maximum number of minutes of audio per UTC day. */
  minutesPerDay: countTo(10_000_000)
}

/** The limits of a workspace or a key. A limit of null does not apply. */
export const limitFields = Struct.map(limitRules, Schema.NullOr)

export const Limits = Schema.Struct(limitFields)
export type Limits = typeof Limits.Type

/** The owner of a limit: a workspace or a key. */
export const LimitOwner = Schema.Literals(["workspace", "key"])
export type LimitOwner = typeof LimitOwner.Type

/** The limits of a workspace or key without limits. */
export const noLimits: Limits = {
  requestsPerSecond: null,
  unfinishedJobs: null,
  minutesPerDay: null
}

/** Returns only the limits of an object that also has other fields. */
export const limitsOf = ({ minutesPerDay, requestsPerSecond, unfinishedJobs }: Limits): Limits => ({
  requestsPerSecond,
  unfinishedJobs,
  minutesPerDay
})

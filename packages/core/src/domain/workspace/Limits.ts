/**
 * What a workspace, or a key of it, may ask for at most. No limit is set unless an operator does.
 */
import { Schema, Struct } from "effect"
import { numberAtLeast, numberAtMost } from "../schema/Rule.ts"
import { Integer } from "../schema/Shape.ts"

const countTo = (max: number) => Integer.check(numberAtLeast(1), numberAtMost(max))

/** What each limit may be. Larger numbers than these would be limits in name only. */
export const limitRules = {
  requestsPerSecond: countTo(100_000),
  /** Jobs that have not ended, at the same time. */
  unfinishedJobs: countTo(1_000_000_000),
  /** Minutes of audio, in a day of UTC. */
  minutesPerDay: countTo(10_000_000)
}

/** The limits, each null for none. */
export const limitFields = Struct.map(limitRules, Schema.NullOr)

export const Limits = Schema.Struct(limitFields)
export type Limits = typeof Limits.Type

/** Whose limit it is. */
export const LimitOwner = Schema.Literals(["workspace", "key"])
export type LimitOwner = typeof LimitOwner.Type

/** As much as there is. */
export const noLimits: Limits = {
  requestsPerSecond: null,
  unfinishedJobs: null,
  minutesPerDay: null
}

/** The limits of what has more fields than these. */
export const limitsOf = ({ minutesPerDay, requestsPerSecond, unfinishedJobs }: Limits): Limits => ({
  requestsPerSecond,
  unfinishedJobs,
  minutesPerDay
})

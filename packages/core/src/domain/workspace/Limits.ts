/**
 * What a workspace, or a key of it, may ask for at most. No limit is set unless an operator does.
 */
import { Schema } from "effect"

const limit = (maximum: number) =>
  Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum })))

/** The limits, each null for none. Larger numbers than these would be limits in name only. */
export const limitFields = {
  requestsPerSecond: limit(100_000),
  /** Jobs that have not ended, at the same time. */
  unfinishedJobs: limit(1_000_000_000),
  /** Minutes of audio, in a day of UTC. */
  minutesPerDay: limit(10_000_000)
}

export const Limits = Schema.Struct(limitFields)
export type Limits = typeof Limits.Type

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

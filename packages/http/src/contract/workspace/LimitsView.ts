/**
 * Limits of a workspace or of a key on the wire: what is shown of them, and how they are given.
 */
import { type Limits, limitRules, noLimits } from "@verbatim/core/workspace"
import { Schema, Struct } from "effect"

const fields = {
  requests_per_second: Schema.NullOr(limitRules.requestsPerSecond).annotate({
    description: "Requests in a second, over all processes. Null for no limit."
  }),
  unfinished_jobs: Schema.NullOr(limitRules.unfinishedJobs).annotate({
    description: "Jobs that have not ended, at the same time. Null for no limit."
  }),
  minutes_per_day: Schema.NullOr(limitRules.minutesPerDay).annotate({
    description: "Minutes of audio charged in a day of UTC. Null for no limit."
  })
}

/** What may be asked for at most. */
export const LimitsView = Schema.Struct(fields).annotate({ identifier: "Limits" })
export type LimitsView = typeof LimitsView.Type

/** Some of the limits. What is left out is not given. */
export const GivenLimits = Schema.Struct(Struct.map(fields, Schema.optionalKey)).annotate({
  identifier: "GivenLimits"
})
type GivenLimits = typeof GivenLimits.Type

/** Shows limits. */
export const toLimitsView = (limits: Limits): LimitsView => ({
  requests_per_second: limits.requestsPerSecond,
  unfinished_jobs: limits.unfinishedJobs,
  minutes_per_day: limits.minutesPerDay
})

/** Reads the limits that are given, and no others. */
export const toGivenLimits = (given: GivenLimits): Partial<Limits> => ({
  ...("requests_per_second" in given ? { requestsPerSecond: given.requests_per_second } : {}),
  ...("unfinished_jobs" in given ? { unfinishedJobs: given.unfinished_jobs } : {}),
  ...("minutes_per_day" in given ? { minutesPerDay: given.minutes_per_day } : {})
})

/** Reads all limits, which are none where they are not given. */
export const toLimits = (given: GivenLimits | null | undefined): Limits => ({
  ...noLimits,
  ...toGivenLimits(given ?? {})
})

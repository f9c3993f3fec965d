/**
 * Limits of a workspace or of a key, as flags, and as they are shown.
 */
import type { components } from "@verbatim/client"
import { limitRules } from "@verbatim/core/workspace"
import { Option, Schema, Struct } from "effect"
import { Flag } from "effect/cli"

/** Limits by the names of the API. */
type Limits = components["schemas"]["Limits"]

const none = "none"

const digits = /^\d{1,12}$/

const limitFlag = (name: string, meaning: string, rule: Schema.Constraint) => {
  const isAllowed = Schema.is(rule)
  const toLimit = (text: string): Option.Option<number | null> => {
    if (text === none) return Option.some(null)
    return digits.test(text)
      ? Option.liftPredicate((limit: number) => isAllowed(limit))(Number(text))
      : Option.none()
  }
  return Flag.String(name).pipe(
    Flag.withDescription(`At most so many ${meaning}, or ${none}`),
    Flag.filterMap(toLimit, () => `a whole number above 0, not too large, or ${none}`),
    Flag.optional
  )
}

/** A flag for each limit. */
export const limitFlags = {
  requests_per_second: limitFlag(
    "requests-per-second",
    "requests in a second",
    limitRules.requestsPerSecond
  ),
  unfinished_jobs: limitFlag(
    "unfinished-jobs",
    "jobs unfinished at the same time",
    limitRules.unfinishedJobs
  ),
  minutes_per_day: limitFlag(
    "minutes-per-day",
    "minutes charged in a day of UTC",
    limitRules.minutesPerDay
  )
}

type Given = Readonly<Record<keyof Limits, Option.Option<number | null>>>

/** The limits that are given, and no others. */
export const givenLimits = (flags: Given): Partial<Limits> =>
  Object.fromEntries(
    Struct.keys(limitFlags).flatMap((name) =>
      Option.match(flags[name], { onNone: () => [], onSome: (limit) => [[name, limit]] })
    )
  )

const shown = {
  requests_per_second: "requests/s",
  unfinished_jobs: "unfinished jobs",
  minutes_per_day: "minutes/day"
} as const

/** The limits that there are; nothing where there are none. */
export const showLimits = (limits: Limits): string =>
  Struct.keys(shown)
    .flatMap((name) => (limits[name] === null ? [] : [`${limits[name]} ${shown[name]}`]))
    .join(", ")

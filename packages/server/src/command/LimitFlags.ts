/**
 * Limits of a workspace or of a key, as flags, and as they are shown.
 */
import { type Limits, limitRules, noLimits } from "@verbatim/core/workspace"
import { Option, Schema, Struct } from "effect"
import { Flag } from "effect/cli"

/** What a limit is called on the command line, and what it counts. */
const names = {
  requestsPerSecond: ["requests-per-second", "requests in a second"],
  unfinishedJobs: ["unfinished-jobs", "jobs unfinished at the same time"],
  minutesPerDay: ["minutes-per-day", "minutes charged in a day of UTC"]
} as const

const none = "none"

const digits = /^\d{1,12}$/

const toLimit = (name: keyof Limits) => {
  const isAllowed = Schema.is(limitRules[name])
  return (text: string): Option.Option<number | null> => {
    if (text === none) return Option.some(null)
    return digits.test(text) ? Option.liftPredicate(isAllowed)(Number(text)) : Option.none()
  }
}

const limitFlag = (name: keyof Limits) => {
  const [flag, meaning] = names[name]
  return Flag.String(flag).pipe(
    Flag.withDescription(`At most so many ${meaning}, or ${none}`),
    Flag.filterMap(toLimit(name), () => `a whole number above 0, not too large, or ${none}`),
    Flag.optional
  )
}

/** A flag for each limit. */
export const limitFlags = {
  requestsPerSecond: limitFlag("requestsPerSecond"),
  unfinishedJobs: limitFlag("unfinishedJobs"),
  minutesPerDay: limitFlag("minutesPerDay")
}

type Given = Readonly<Record<keyof Limits, Option.Option<number | null>>>

/** The limits that are given, and no others. */
export const givenLimits = (flags: Given): Partial<Limits> =>
  Object.fromEntries(
    Struct.keys(names).flatMap((name) =>
      Option.match(flags[name], { onNone: () => [], onSome: (limit) => [[name, limit]] })
    )
  )

/** All limits, which are none where they are not given. */
export const allLimits = (flags: Given): Limits => ({ ...noLimits, ...givenLimits(flags) })

const shown = {
  requestsPerSecond: "requests/s",
  unfinishedJobs: "unfinished jobs",
  minutesPerDay: "minutes/day"
} as const

/** The limits that there are; nothing where there are none. */
export const showLimits = (limits: Limits): string =>
  Struct.keys(shown)
    .flatMap((name) => (limits[name] === null ? [] : [`${limits[name]} ${shown[name]}`]))
    .join(", ")

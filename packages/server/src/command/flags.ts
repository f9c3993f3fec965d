/** Flags that several commands share. */

import type { components } from "@verbatim/client"
import {
  ExternalId,
  KeyKind,
  KeyName,
  limitRules,
  type Scope,
  scopes,
  WorkspaceName
} from "@verbatim/core/workspace"
import { DateTime, Duration, Option, Schema, Struct } from "effect"
import { Argument, Flag } from "effect/cli"

/** Creates a flag that is off by default. */
export const makeSwitch = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** Creates a flag for the number of newest items to show. */
export const countFlag = (name: string) =>
  Flag.Int(name).pipe(
    Flag.withDescription("Show only this many of the newest items (default: all)"),
    Flag.filter(
      (count) => count > 0,
      () => "a whole number above 0"
    ),
    Flag.withDefault(Number.POSITIVE_INFINITY)
  )

export const optional = <A>(flag: Flag.Flag<A>, description: string) =>
  flag.pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

/** Creates an optional flag for a name. */
export const nameFlag = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.filter(Schema.is(KeyName), () => "1 to 255 characters"),
    Flag.optional
  )

export const kindFlag = Flag.Literals("kind", [...KeyKind.literals, "operator"]).pipe(
  Flag.withDescription(
    "management can write presets, inference cannot; operator manages all workspaces"
  )
)

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text)

const toScopes = (list: string): Option.Option<ReadonlyArray<Scope>> => {
  const named = list.split(",").map((each) => each.trim())
  const known = named.filter(isScope)
  return known.length === named.length ? Option.some([...new Set(known)]) : Option.none()
}

/** The scopes for a key that has fewer permissions than its kind allows. */
export const scopesFlag = Flag.String("scopes").pipe(
  Flag.withDescription(`Scopes of the key (default: all of its kind): ${scopes.join(", ")}`),
  Flag.filterMap(toScopes, () => `one or more of ${scopes.join(", ")}, separated by commas`),
  Flag.optional
)

/** A timestamp must include a time zone, because a time such as midnight is otherwise ambiguous. */
const instantPattern = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/

/** Whether a day exists, because February 30 would be read as a day in March. */
const isDay = (day: string): boolean =>
  Option.exists(DateTime.make(day), (midnight) => DateTime.formatIsoDateUtc(midnight) === day)

/** Parses a timestamp with a time zone. */
export const toInstant = (text: string): Option.Option<DateTime.Utc> => {
  const [, day] = instantPattern.exec(text) ?? []
  if (day === undefined || !isDay(day)) return Option.none()
  return Option.map(DateTime.make(text), DateTime.toUtc)
}

export const expiresFlag = Flag.String("expires").pipe(
  Flag.withDescription("Expiry time, such as 2027-01-01T00:00:00Z (default: never)"),
  Flag.filterMap(toInstant, () => "a timestamp with a time zone, such as 2027-01-01T00:00:00Z"),
  Flag.optional
)

/** When a key expires, and when it was revoked. */
interface Validity {
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

/** Whether a key is accepted at a given time. */
export const isKeyValid = ({ expires_at, revoked_at }: Validity, now: DateTime.Utc): boolean =>
  revoked_at === null &&
  (expires_at === null || DateTime.isGreaterThan(DateTime.makeUnsafe(expires_at), now))

/** Maximum overlap of two keys, as in the HTTP API. */
const overlapMax = Duration.days(30)

const toOverlap = (text: string): Option.Option<Duration.Duration> =>
  Option.filter(
    Duration.fromInput(text as Duration.Input),
    (overlap) =>
      Duration.isGreaterThanOrEqualTo(overlap, Duration.zero) &&
      Duration.isLessThanOrEqualTo(overlap, overlapMax)
  )

/** How long the old key stays valid after a rotation. */
export const overlapFlag = Flag.String("overlap").pipe(
  Flag.withDescription("How long the old key stays valid, such as `1 hour` or `0 seconds`"),
  Flag.withDefault("1 hour"),
  Flag.filterMap(toOverlap, () => "at most 30 days, such as `1 hour` or `0 seconds`")
)

/** The limits, keyed by their API names. */
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
    Flag.withDescription(`Maximum ${meaning}, or ${none}`),
    Flag.filterMap(toLimit, () => `a whole number above 0, not too large, or ${none}`),
    Flag.optional
  )
}

/** Flags for the limits of a workspace or key. */
export const limitFlags = {
  requests_per_second: limitFlag(
    "requests-per-second",
    "requests per second",
    limitRules.requestsPerSecond
  ),
  unfinished_jobs: limitFlag(
    "unfinished-jobs",
    "unfinished jobs at the same time",
    limitRules.unfinishedJobs
  ),
  minutes_per_day: limitFlag(
    "minutes-per-day",
    "minutes charged per UTC day",
    limitRules.minutesPerDay
  )
}

type LimitFlags = Readonly<Record<keyof Limits, Option.Option<number | null>>>

/** Returns the limits that were given. */
export const readLimits = (flags: LimitFlags): Partial<Limits> =>
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

/** Formats the limits that are set. */
export const showLimits = (limits: Limits): string =>
  Struct.keys(shown)
    .flatMap((name) => (limits[name] === null ? [] : [`${limits[name]} ${shown[name]}`]))
    .join(", ")

const expected = () => "1 to 255 characters"

export const nameOf = Flag.String("name").pipe(
  Flag.withDescription("Name of the workspace"),
  Flag.filter(Schema.is(WorkspaceName), expected)
)

/** The host's unique id for a workspace. */
export const externalIdFlag = Flag.String("external-id").pipe(
  Flag.withDescription("The host's own id for the workspace, such as a customer id"),
  Flag.filter(Schema.is(ExternalId), expected),
  Flag.optional
)

export const externalIdArgument = Argument.String("external-id").pipe(
  Argument.withDescription("The host's own id for the workspace"),
  Argument.filter(Schema.is(ExternalId), expected)
)

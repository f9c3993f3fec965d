/** Defines flags that several commands share. */

import type { components } from "@verbatim/client"
import { readInstant, readTime } from "@verbatim/core/schema"
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

/** Creates a flag without a value, which is off by default. */
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

/** Makes a flag optional. If the user does not give it, its value is undefined. */
export const optional = <A>(flag: Flag.Flag<A>, description: string) =>
  flag.pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

/** Creates an optional flag whose value is a string. */
export const textFlag = (name: string, description: string) =>
  optional(Flag.String(name), description)

const isGiven = (text: string): boolean => text !== ""

const givenRule = () => "a value that is not empty"

interface Accepted {
  readonly isValid: (text: string) => boolean
  readonly rule: () => string
}

/**
 * Creates an optional flag that filters a list, or names a workspace or a server. An empty value,
 * such as an unset variable of a script, is refused, because it would mean everything, or the local
 * database.
 */
export const filterFlag = (
  name: string,
  description: string,
  { isValid, rule }: Accepted = { isValid: isGiven, rule: givenRule }
) => optional(Flag.String(name).pipe(Flag.filter(isValid, rule)), description)

/** Creates an argument whose value is a string that is not empty. */
export const textArgument = (name: string, description: string) =>
  Argument.String(name).pipe(
    Argument.withDescription(description),
    Argument.filter(isGiven, givenRule)
  )

const nameRule = () => "1 to 255 characters"

/** Creates an optional flag for a name. */
export const nameFlag = (name: string, description: string) =>
  optional(Flag.String(name).pipe(Flag.filter(Schema.is(KeyName), nameRule)), description)

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

/** The flag for the scopes of a key that should have fewer permissions than its kind allows. */
export const scopesFlag = optional(
  Flag.String("scopes").pipe(
    Flag.filterMap(toScopes, () => `one or more of ${scopes.join(", ")}, separated by commas`)
  ),
  `Scopes of the key (default: all of its kind): ${scopes.join(", ")}`
)

/** Matches the minute of a timestamp without seconds. */
const minute = /T\d\d:\d\d(?=Z|[+-])/

/** Parses a timestamp with a time zone, with or without seconds. */
const toInstant = (text: string): Option.Option<DateTime.Utc> =>
  readInstant(text.replace(minute, "$&:00"))

/** Parses such a timestamp, or a UTC day, which means the first moment of that day. */
export const toTime = (text: string): Option.Option<DateTime.Utc> =>
  readTime(text.replace(minute, "$&:00"))

export const expiresFlag = optional(
  Flag.String("expires").pipe(
    Flag.filterMap(toInstant, () => "a timestamp with a time zone, such as 2027-01-01T00:00:00Z")
  ),
  "Expiry time, such as 2027-01-01T00:00:00Z (default: never)"
)

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

/** The flag for how long the old key stays valid after a rotation. */
export const overlapFlag = Flag.String("overlap").pipe(
  Flag.withDescription("How long the old key stays valid, such as `1 hour` or `0 seconds`"),
  Flag.withDefault("1 hour"),
  Flag.filterMap(toOverlap, () => "at most 30 days, such as `1 hour` or `0 seconds`")
)

type Limits = components["schemas"]["Limits"]

const none = "none"

const digits = /^\d{1,12}$/

const limitFlag = (name: string, meaning: string, schema: Schema.Constraint) => {
  const isAllowed = Schema.is(schema)
  const toLimit = (text: string): Option.Option<number | null> => {
    if (text === none) return Option.some(null)
    return digits.test(text)
      ? Option.liftPredicate((limit: number) => isAllowed(limit))(Number(text))
      : Option.none()
  }
  const rule = () => `a whole number above 0, not too large, or ${none}`
  return optional(
    Flag.String(name).pipe(Flag.filterMap(toLimit, rule)),
    `Maximum ${meaning}, or ${none}`
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

/** Picks the flags that the user gave. */
export const pickGiven = <Values extends object, Name extends keyof Values>(
  values: Values,
  flags: Readonly<Record<Name, unknown>>
): { readonly [Each in Name]?: Exclude<Values[Each], undefined> } =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => name in flags && value !== undefined)
  ) as never

/** Returns the limits that the user gave. */
export const readLimits = (
  values: Partial<{ readonly [Name in keyof Limits]: number | null | undefined }>
): Partial<Limits> => pickGiven(values, limitFlags)

const shown = {
  requests_per_second: "requests/s",
  unfinished_jobs: "unfinished jobs",
  minutes_per_day: "minutes/day"
} as const

/** Formats limits as text, without those that are not set. */
export const showLimits = (limits: Limits): string =>
  Struct.keys(shown)
    .flatMap((name) => (limits[name] === null ? [] : [`${limits[name]} ${shown[name]}`]))
    .join(", ")

export const nameOf = Flag.String("name").pipe(
  Flag.withDescription("Name of the workspace"),
  Flag.filter(Schema.is(WorkspaceName), nameRule)
)

/** The flag for the id that the host uses for a workspace. */
export const externalIdFlag = optional(
  Flag.String("external-id").pipe(Flag.filter(Schema.is(ExternalId), nameRule)),
  "The host's own id for the workspace, such as a customer id"
)

export const externalIdArgument = textArgument(
  "external-id",
  "The host's own id for the workspace"
).pipe(Argument.filter(Schema.is(ExternalId), nameRule))

/**
 * What a ledger sums to: what was charged and credited within a time, day by day, for each key, or
 * for each workspace.
 */
import { DateTime, Duration, Option, Schema } from "effect"
import type { ApiKeyId } from "./ApiKey.ts"
import type { WorkspaceId } from "./Workspace.ts"

/** What each row of a sum is about. */
export const UsageBy = Schema.Literals(["day", "key", "workspace"])
export type UsageBy = typeof UsageBy.Type

/** A time, from its first instant up to and without its last. */
export interface UsageTime {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** What a row is about; what it is not about is null. */
export interface UsageSubject {
  /** Whole days of UTC since 1970. */
  readonly day: number | null
  readonly workspaceId: WorkspaceId | null
  /** Null among keys, too: for what no key asked for, such as credits. */
  readonly keyId: ApiKeyId | null
}

/** What was charged and credited, exactly. */
export interface UsageRow extends UsageSubject {
  /** Milliseconds of audio. */
  readonly chargedMillis: number
  readonly jobs: number
  /** Less what an operator took away. */
  readonly creditedMillis: number
}

/** Longest time that is summed at once, in days: what a year costs to read is known. */
export const usageDaysMax = 366

/** Most sums, or lines of a ledger, on a page: all days of two years fit on one. */
export const usageRowMax = 1_000

/** Why a time cannot be summed; nothing where it can. */
export const judgeUsageTime = ({ from, to }: UsageTime): string | undefined => {
  if (!DateTime.isLessThan(from, to)) return "must be after from"
  const length = DateTime.distance(from, to)
  return Duration.isLessThanOrEqualTo(length, Duration.days(usageDaysMax))
    ? undefined
    : `at most ${usageDaysMax} days after from`
}

/** Milliseconds in a day of UTC. */
export const dayMillis = 86_400_000

/** The day of UTC that an instant lies in. */
export const dayOf = (at: DateTime.Utc): number =>
  Math.floor(DateTime.toEpochMillis(at) / dayMillis)

/** The whole day of UTC with that number. */
export const timeOfDay = (day: number): UsageTime => ({
  from: DateTime.makeUnsafe(day * dayMillis),
  to: DateTime.makeUnsafe((day + 1) * dayMillis)
})

/** How long a time is, in days, when nobody says when it begins. */
export const usageDaysDefault = 30

/** The time that is meant: it ends with today and is as long as usual, unless something is said. */
export const toUsageTime = (
  { from, to }: { readonly [End in keyof UsageTime]: Option.Option<DateTime.Utc> },
  now: DateTime.Utc
): UsageTime => {
  const end = Option.getOrElse(to, () => timeOfDay(dayOf(now)).to)
  return {
    from: Option.getOrElse(from, () => DateTime.subtract(end, { days: usageDaysDefault })),
    to: end
  }
}

// What a workspace has left: exact whole milliseconds of audio, shown as minutes with two decimals.
// Integers, because a ledger of fractions does not sum to its balance.

/** Milliseconds of audio. Jobs that run side by side may take it below zero. */
export const BalanceMillis = Schema.Int
export type BalanceMillis = typeof BalanceMillis.Type

const minuteMillis = 60_000

/** A job is accepted when more than this is left (specification, limits: more than 60 minutes). */
const minimumMillis = 60 * minuteMillis

/** Whether the balance allows another job. */
export const isSufficient = (balance: BalanceMillis): boolean => balance > minimumMillis

/**
 * Decimal minutes with two digits, as the wire shows them. Truncated, not rounded: a balance never
 * looks larger than it is.
 */
export const toMinutes = (balance: BalanceMillis): string => {
  const hundredths = Math.floor(balance / (minuteMillis / 100))
  const whole = Math.trunc(hundredths / 100)
  const sign = hundredths < 0 && whole === 0 ? "-" : ""
  return `${sign}${whole}.${String(Math.abs(hundredths % 100)).padStart(2, "0")}`
}

/** The same of what was added or taken: a charge reads like the minutes that it is for. */
export const toAmount = (millis: BalanceMillis): string =>
  `${millis < 0 ? "-" : ""}${toMinutes(Math.abs(millis))}`

/** Milliseconds of a number of minutes, to the nearest one. */
export const fromMinutes = (minutes: number): BalanceMillis => Math.round(minutes * minuteMillis)

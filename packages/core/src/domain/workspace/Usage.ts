/** Usage: the totals of the ledgers for a period, by day, key or workspace. */
import { DateTime, Duration, Option, Schema } from "effect"
import type { ApiKeyId } from "./ApiKey.ts"
import type { WorkspaceId } from "./Workspace.ts"

/** The ways to group usage rows. */
export const UsageBy = Schema.Literals(["day", "key", "workspace"])
export type UsageBy = typeof UsageBy.Type

/** A period; its end is exclusive. */
export interface UsageTime {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** The day, key or workspace that a row covers. Fields that are not used for grouping are null. */
export interface UsageSubject {
  /** The day, as the number of whole UTC days since 1970. */
  readonly day: number | null
  readonly workspaceId: WorkspaceId | null
  /**
   * The key. Null if rows are not grouped by key, or if the row covers ledger lines without a key,
   * such as credits.
   */
  readonly keyId: ApiKeyId | null
}

/** The exact totals in a usage row. */
export interface UsageRow extends UsageSubject {
  /** Milliseconds of audio that were charged. */
  readonly chargedMillis: number
  readonly jobs: number
  /** Milliseconds of audio that were credited, minus those that an operator deducted. */
  readonly creditedMillis: number
  /** Number of the charged jobs' pieces that an engine recognised. */
  readonly recognised: number
  /** Number of the charged jobs' pieces with a result that came from the store. */
  readonly reused: number
  /** Total time that engines spent on the charged jobs. */
  readonly engineMillis: number
}

/** Maximum length of a period, in days, because a longer one would take too long to read. */
export const usageDaysMax = 366

/** Maximum number of totals or ledger lines on a page. All days of two years fit on one page. */
export const usageRowMax = 1_000

/** Returns why a period is invalid; undefined if it is valid. */
export const checkPeriod = ({ from, to }: UsageTime): string | undefined => {
  if (!DateTime.isLessThan(from, to)) return "must be after from"
  const length = DateTime.distance(from, to)
  return Duration.isLessThanOrEqualTo(length, Duration.days(usageDaysMax))
    ? undefined
    : `at most ${usageDaysMax} days after from`
}

/** Milliseconds in a UTC day. */
export const dayMillis = 86_400_000

/** Returns the number of the UTC day that contains a timestamp. */
export const dayOf = (at: DateTime.Utc): number =>
  Math.floor(DateTime.toEpochMillis(at) / dayMillis)

/** Returns the period of the UTC day with the given number. */
export const timeOfDay = (day: number): UsageTime => ({
  from: DateTime.makeUnsafe(day * dayMillis),
  to: DateTime.makeUnsafe((day + 1) * dayMillis)
})

/** Default length of a period, in days. */
export const usageDaysDefault = 30

/**
 * Fills in the missing bounds of a period. By default, it ends today and has the default length.
 */
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

// The balance of a workspace in whole milliseconds of audio, shown as minutes with two decimals.
// Milliseconds are integers, because sums of fractions would not be exact.

/**
 * The balance in milliseconds of audio. Jobs that run in parallel can make the balance negative.
 */
export const BalanceMillis = Schema.Int
export type BalanceMillis = typeof BalanceMillis.Type

const minuteMillis = 60_000

/**
 * A job is accepted only if the balance is more than this number of milliseconds (specification,
 * limits: more than 60 minutes).
 */
const minimumMillis = 60 * minuteMillis

/** Whether the balance allows another job. */
export const isSufficient = (balance: BalanceMillis): boolean => balance > minimumMillis

/**
 * Formats a balance as minutes with two decimals. The value is truncated, not rounded, so that a
 * balance never looks larger than it is.
 */
export const toMinutes = (balance: BalanceMillis): string => {
  const hundredths = Math.floor(balance / (minuteMillis / 100))
  const whole = Math.trunc(hundredths / 100)
  const sign = hundredths < 0 && whole === 0 ? "-" : ""
  return `${sign}${whole}.${String(Math.abs(hundredths % 100)).padStart(2, "0")}`
}

/**
 * Formats a credit or a charge as minutes. A charge is truncated towards zero, like the minutes
 * that it pays for.
 */
export const toAmount = (millis: BalanceMillis): string =>
  `${millis < 0 ? "-" : ""}${toMinutes(Math.abs(millis))}`

/** Converts minutes to whole milliseconds, rounded. */
export const fromMinutes = (minutes: number): BalanceMillis => Math.round(minutes * minuteMillis)

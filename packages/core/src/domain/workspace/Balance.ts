/**
 * What a workspace has left: exact whole milliseconds of audio, shown as minutes with two decimals.
 * Integers, because a ledger of fractions does not sum to its balance.
 */
import { Schema } from "effect"

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

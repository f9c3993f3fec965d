/** Tracks the current time, corrected by the server's clock, and formats timestamps. */
import { signal } from "@preact/signals"

export const dayMillis = 86_400_000
const stepMillis = 15_000

/** A smaller difference proves nothing: responses take a while, and have whole seconds. */
const offMin = 10_000

/** Milliseconds that the local clock is ahead of the server's clock, which sets all timestamps. */
let ahead = 0

export const readClock = (): number => Date.now() - ahead
export const now = signal(readClock())

setInterval(() => {
  now.value = readClock()
}, stepMillis)

/** Sets the clock, so that the current time is not before any timestamp in the response. */
export const noteServerTime = (date: string | null): void => {
  const serverTime = Date.parse(date ?? "")
  if (Number.isNaN(serverTime)) return
  const difference = readClock() - serverTime
  if (difference < 0 || difference >= offMin) ahead = Date.now() - serverTime
  if (now.peek() < serverTime || difference >= offMin) now.value = readClock()
}

export const sleep = (millis: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis)
  })

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" })

const steps = [
  { unit: "second", seconds: 1, below: 60 },
  { unit: "minute", seconds: 60, below: 3_600 },
  { unit: "hour", seconds: 3_600, below: 86_400 },
  { unit: "day", seconds: 86_400, below: 604_800 }
] as const

const sameYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" })
const otherYear = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" })
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" })
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" })

export const formatAgo = (at: Date, from: number): string => {
  const seconds = Math.round((at.getTime() - from) / 1_000)
  const size = Math.abs(seconds)
  if (size < 5) return "now"
  const step = steps.find(({ below }) => size < below)
  if (step !== undefined) return relative.format(Math.trunc(seconds / step.seconds), step.unit)
  return formatDay(at, from)
}

export const formatExact = (at: Date): string => exact.format(at)

/** Formats the date in the reader's time zone, without the current year. */
export const formatDay = (at: Date, from: number): string =>
  (at.getFullYear() === new Date(from).getFullYear() ? sameYear : otherYear).format(at)

export const isSameDay = (one: Date, other: Date) => one.toDateString() === other.toDateString()

/** Formats the time of day in the reader's time zone, with the date if it is not today. */
export const formatWhen = (at: Date, from: number): string =>
  isSameDay(at, new Date(from)) ? clock.format(at) : `${clock.format(at)}, ${formatDay(at, from)}`

export const formatClock = (at: Date): string => clock.format(at)

/** Formats a duration: `40 ms`, `4.2 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export const formatSpan = (millis: number): string => {
  // Clocks differ, so an earlier event may have a later timestamp.
  const span = Math.max(0, millis)
  if (Math.round(span) < 1_000) return `${Math.round(span)} ms`
  if (Math.round(span / 100) < 100) return `${(span / 1_000).toFixed(1)} s`
  const seconds = Math.round(span / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`
}

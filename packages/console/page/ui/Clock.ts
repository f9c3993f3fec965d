/** The time of the reader: what "two minutes ago" is counted from, and how instants are written. */
import { signal } from "@preact/signals"

/** Words of minutes are right for as long. */
const stepMillis = 15_000

/** A clock that is off by more than this is wrong: answers take a while, and tell whole seconds. */
const offMin = 10_000

/** How far the clock of this machine is ahead of the server's, which wrote all instants. */
let ahead = 0

const read = (): number => Date.now() - ahead

/** Now, a little late. */
export const now = signal(read())

setInterval(() => {
  now.value = read()
}, stepMillis)

/** Notes what the server says of the time, so that whose clock is off is told no nonsense. */
export const noteServerTime = (date: string | null): void => {
  const told = Date.parse(date ?? "")
  if (Number.isNaN(told) || Math.abs(read() - told) < offMin) return
  ahead = Date.now() - told
  now.value = read()
}

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

/** How long ago, in words; a date where it is more than a week. */
export const writeAgo = (at: Date, from: number): string => {
  const seconds = Math.round((at.getTime() - from) / 1_000)
  const size = Math.abs(seconds)
  if (size < 5) return "now"
  const step = steps.find(({ below }) => size < below)
  if (step !== undefined) return relative.format(Math.trunc(seconds / step.seconds), step.unit)
  return writeDay(at, from)
}

/** Day and time in the reader's zone. */
export const writeExact = (at: Date): string => exact.format(at)

/** The day in the reader's zone, with its year where that is another one. */
export const writeDay = (at: Date, from: number): string =>
  (at.getFullYear() === new Date(from).getFullYear() ? sameYear : otherYear).format(at)

/** Whether two instants are on one day of the reader. */
export const isSameDay = (one: Date, other: Date): boolean =>
  one.toDateString() === other.toDateString()

/** The time of day in the reader's zone, and the day where it is not that of now. */
export const writeWhen = (at: Date, from: number): string =>
  isSameDay(at, new Date(from)) ? clock.format(at) : `${clock.format(at)}, ${writeDay(at, from)}`

/** The time of day in the reader's zone. */
export const writeClock = (at: Date): string => clock.format(at)

/** A span of time as people write it: `40 ms`, `4.2 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export const writeSpan = (millis: number): string => {
  // Clocks of two machines: what came first may have the later time.
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

/** Combines queue counts over time: one count per minute from the server, and the current count. */
import type { components } from "@verbatim/client"

export type QueueCount = Readonly<{ at: number; due: number; leased: number }>
export type Sample = Omit<components["schemas"]["QueueSample"], "later">

/** A count stands for the time until the next one, but for at most this time. */
const gapMillis = 150_000

/** The length of a step is at least the time between two counts. */
const stepMin = 60_000
const stepsMax = 96

/** Counts with later timestamps are left out: they were made before a clock was set back. */
export const countsWithin = (
  samples: ReadonlyArray<Sample>,
  current: QueueCount,
  millis: number
) => {
  const from = current.at - millis
  const before = samples
    .map(({ at, due, leased }) => ({ at: Date.parse(at), due, leased }))
    .filter(({ at }) => at >= from && at < current.at)
  return [...before, current]
}

/** Returns the largest count in each step. Undefined if nothing was counted. */
export const countsByStep = (counts: ReadonlyArray<QueueCount>, millis: number) => {
  const [from = 0, until = 0] = [counts[0]?.at, counts.at(-1)?.at]
  const step = Math.max(stepMin, millis / stepsMax)
  const steps = Math.floor((until - from) / step) + 1
  const before = (at: number, millis: number) =>
    counts.filter((count) => count.at <= at && count.at > at - millis)
  return Array.from({ length: steps }, (_, index) => {
    const at = until - (steps - 1 - index) * step
    const [largest] = before(at, step).sort(
      (one, other) => other.due + other.leased - one.due - one.leased
    )
    return { at, count: largest ?? before(at, gapMillis).at(-1) }
  })
}

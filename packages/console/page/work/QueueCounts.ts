/** Combines queue counts over time: one count per minute from the server, and the current count. */
import type { components } from "@verbatim/client"

export type QueueCount = Readonly<{ at: number; due: number; leased: number }>
type Sample = components["schemas"]["QueueSample"]
export const ranges = { "10 minutes": 600_000, "1 hour": 3_600_000, "1 day": 86_400_000 } as const
export type Range = keyof typeof ranges

/** Maximum time between two counts joined by a line. In a longer gap, nothing was counted. */
const gapMillis = 150_000

/** Counts with later timestamps are left out: they were made before a clock was set back. */
export const countsWithin = (samples: ReadonlyArray<Sample>, current: QueueCount, range: Range) => {
  const from = current.at - ranges[range]
  const before = samples
    .map(({ at, due, leased }) => ({ at: Date.parse(at), due, leased }))
    .filter(({ at }) => at >= from && at < current.at)
  return [...before, current]
}

export const splitAtGaps = (counts: ReadonlyArray<QueueCount>) => {
  const runs: Array<Array<QueueCount>> = []
  for (const count of counts) {
    const open = runs.at(-1)
    const last = open?.at(-1)
    if (open === undefined || last === undefined || count.at - last.at > gapMillis) {
      runs.push([count])
    } else open.push(count)
  }
  return runs
}

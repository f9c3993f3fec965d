/**
 * Queue counts over time: one a minute from the server, and one every ten seconds since this screen
 * was opened.
 */
import type { components } from "@verbatim/client"

/** The numbers of due and running tasks at an instant, which is given in milliseconds. */
export interface QueueCount {
  readonly at: number
  readonly due: number
  readonly leased: number
}

type Sample = components["schemas"]["QueueSample"]

/** The selectable ranges, in milliseconds. */
export const ranges = {
  "10 minutes": 600_000,
  "1 hour": 3_600_000,
  "1 day": 86_400_000
} as const

/** A selectable range. */
export type Range = keyof typeof ranges

/** Ten minutes of counts. For earlier times, one count a minute is known. */
const seenMax = 60

/** Counts that are further apart are not joined, because nothing was counted in between. */
const gapMillis = 150_000

/** Converts an answer from the API to a count. */
export const toCount = ({ at, due, leased }: Omit<Sample, "later">): QueueCount => ({
  at: Date.parse(at),
  due,
  leased
})

/**
 * Appends a count, unless it repeats the previous answer. Known counts with later times are
 * dropped, because they were made before a clock was set back.
 */
export const addCount = (
  seen: ReadonlyArray<QueueCount>,
  count: QueueCount
): ReadonlyArray<QueueCount> => {
  const before = seen.filter(({ at }) => at < count.at)
  return [...before, count].slice(-seenMax)
}

/** Returns all counts in a range in order, up to the last count seen. */
export const countsWithin = (
  samples: ReadonlyArray<Sample>,
  seen: ReadonlyArray<QueueCount>,
  range: Range
): ReadonlyArray<QueueCount> => {
  const all = [...samples.map(toCount), ...seen].sort((one, other) => one.at - other.at)
  const until = (seen.at(-1) ?? all.at(-1))?.at ?? 0
  const from = until - ranges[range]
  return all.filter(({ at }) => at >= from && at <= until)
}

/** Splits counts where nothing was counted for a while. */
export const splitAtGaps = (
  counts: ReadonlyArray<QueueCount>
): ReadonlyArray<ReadonlyArray<QueueCount>> => {
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

/**
 * The queue over time: what the server counted once a minute before anybody looked, and what this
 * screen has seen every two seconds since.
 */
import type { components } from "@verbatim/client"

/** How much was due and how much was done, at an instant in milliseconds. */
export interface Moment {
  readonly at: number
  readonly due: number
  readonly leased: number
}

type Sample = components["schemas"]["QueueSample"]

/** How far back people look, in milliseconds. */
export const ranges = {
  "10 minutes": 600_000,
  "1 hour": 3_600_000,
  "1 day": 86_400_000
} as const

/** One of them. */
export type Range = keyof typeof ranges

/** Ten minutes of a look every two seconds; what was before is known by the minute. */
const seenMax = 300

/** Moments further apart are not joined: nobody has counted in between. */
const gapMillis = 150_000

/** A moment of an answer. */
export const toMoment = ({ at, due, leased }: Omit<Sample, "later">): Moment => ({
  at: Date.parse(at),
  due,
  leased
})

/**
 * The last moments with one more; an answer that is given again is no other moment. What seems to
 * be later was counted before a clock was set back: nobody knows when.
 */
export const addMoment = (seen: ReadonlyArray<Moment>, moment: Moment): ReadonlyArray<Moment> => {
  const before = seen.filter(({ at }) => at < moment.at)
  return [...before, moment].slice(-seenMax)
}

/** All moments of a range, in order, up to the one that was seen last. */
export const momentsOf = (
  samples: ReadonlyArray<Sample>,
  seen: ReadonlyArray<Moment>,
  range: Range
): ReadonlyArray<Moment> => {
  const all = [...samples.map(toMoment), ...seen].sort((one, other) => one.at - other.at)
  const until = (seen.at(-1) ?? all.at(-1))?.at ?? 0
  const from = until - ranges[range]
  return all.filter(({ at }) => at >= from && at <= until)
}

/** The same, parted where nobody has counted. */
export const stretchesOf = (
  moments: ReadonlyArray<Moment>
): ReadonlyArray<ReadonlyArray<Moment>> => {
  const stretches: Array<Array<Moment>> = []
  for (const moment of moments) {
    const open = stretches.at(-1)
    const last = open?.at(-1)
    if (open === undefined || last === undefined || moment.at - last.at > gapMillis) {
      stretches.push([moment])
    } else open.push(moment)
  }
  return stretches
}

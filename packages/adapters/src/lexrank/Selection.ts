/**
 * Which sentences a summary takes: the highest ranks, without saying a thing twice, in the order in
 * which they were said.
 */
import { similarity } from "./LexRank.ts"
import type { Ranked, Stretch } from "./Ranked.ts"
import type { Standing } from "./Reading.ts"

/** The whole transcript. */
export const whole = ({ units }: Ranked): Stretch => ({ from: 0, to: units.length })

/** Two sentences as alike as this say the same. */
const repetition = 0.6

/** Among this many sentences enough say different things, or none do. */
const candidateMax = 200

/** What to select from a transcript. */
export interface Wanted {
  readonly within: Stretch
  readonly count: number
  /** This many are taken even if they are questions, exclamations or repetitions. Default 1. */
  readonly least?: number
  /** Units that are taken already. */
  readonly except?: ReadonlySet<number>
}

/**
 * The best units of a stretch in order of time: `count`, or fewer where there is no more to say.
 * None repeats the words of an earlier one.
 */
export const select = (ranked: Ranked, wanted: Wanted): ReadonlyArray<number> => {
  const { count, except, least = 1, within } = wanted
  const chosen: Array<number> = []
  const passedOver: Array<number> = []
  for (const unit of candidates(ranked, within)) {
    if (chosen.length === count) break
    if (except?.has(unit)) continue
    const isRepeated = chosen.some((other) => similarity(ranked.weights, unit, other) > repetition)
    if (isRepeated || ranked.standing[unit] === "weak") passedOver.push(unit)
    else chosen.push(unit)
  }
  const missing = Math.max(0, least - chosen.length)
  return [...chosen, ...passedOver.slice(0, missing)].sort((a, b) => a - b)
}

/** The best units of each part, none of them twice. */
export const selectEach = (
  ranked: Ranked,
  wanted: Omit<Wanted, "within"> & { readonly parts: ReadonlyArray<Stretch> }
): ReadonlyArray<ReadonlyArray<number>> => {
  const { parts, ...rest } = wanted
  const taken = new Set(wanted.except)
  return parts.map((within) => {
    const chosen = select(ranked, { ...rest, within, except: taken })
    for (const unit of chosen) taken.add(unit)
    return chosen
  })
}

/** The units of a stretch that may be taken, the best first. */
const candidates = (ranked: Ranked, { from, to }: Stretch): ReadonlyArray<number> => {
  const valueOf = (unit: number) =>
    (ranked.ranks[unit] ?? 0) + standingValue[ranked.standing[unit] ?? "repeated"]
  // Sorting 100,000 objects would keep others waiting; numbers are sorted ten times as fast.
  const values = Float64Array.from({ length: to - from }, (_, index) => valueOf(from + index))
  const least = values.toSorted()[Math.max(0, values.length - candidateMax)] ?? 0
  const best: Array<number> = []
  for (const [index, value] of values.entries()) {
    if (value >= Math.max(least, 0)) best.push(from + index)
    // Units of equal rank beyond the limit are left out.
    if (best.length === 2 * candidateMax) break
  }
  return best.sort((a, b) => valueOf(b) - valueOf(a) || a - b)
}

/** Ranks are from 0 to 1: any good one is above any weak one, and repeated ones are below 0. */
const standingValue: Readonly<Record<Standing, number>> = { good: 2, weak: 0, repeated: -2 }

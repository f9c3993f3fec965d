/** Writes the three summary types (specification, summary types) from ranked sentences. */
import { clock } from "@verbatim/core/rendering"
import type { SummaryType } from "@verbatim/core/summary"
import { Effect } from "effect"
import { capitalise, joinSentences, listSeparator, type Quality } from "./Analysis.ts"
import { headings } from "./Headings.ts"
import { keywords } from "./Keywords.ts"
import { type Ranked, similarity, type UnitRange } from "./LexRank.ts"

// Selects the sentences with the highest ranks for a summary, without repetition and in their
// original order.

/** Returns the whole transcript as a range. */
const whole = ({ units }: Ranked): UnitRange => ({ from: 0, to: units.length })

/** Two sentences with at least this similarity are considered to say the same thing. */
const repetition = 0.6

/** Maximum number of candidates: enough to find different sentences if the text has any. */
const candidateMax = 200

/** Limits for choosing units from a transcript. */
interface Selection {
  readonly within: UnitRange
  readonly count: number
  /**
   * Minimum number of units, by default 1, even if that requires questions, exclamations or
   * repetitions.
   */
  readonly least?: number
  /** Units to omit, because they are already selected. */
  readonly except?: ReadonlySet<number>
}

/**
 * Returns up to `count` of a range's best units in chronological order, or fewer if there are not
 * enough good units. No unit repeats an earlier one.
 */
const select = (ranked: Ranked, wanted: Selection): ReadonlyArray<number> => {
  const { count, except, least = 1, within } = wanted
  const chosen: Array<number> = []
  const passedOver: Array<number> = []
  for (const unit of candidates(ranked, within)) {
    if (chosen.length === count) break
    if (except?.has(unit)) continue
    const isRepeated = chosen.some((other) => similarity(ranked.weights, unit, other) > repetition)
    if (isRepeated || ranked.quality[unit] === "weak") passedOver.push(unit)
    else chosen.push(unit)
  }
  const missing = Math.max(0, least - chosen.length)
  return [...chosen, ...passedOver.slice(0, missing)].sort((a, b) => a - b)
}

/** Returns the best units of each part. No unit is returned twice. */
const selectEach = (
  ranked: Ranked,
  wanted: Omit<Selection, "within"> & { readonly parts: ReadonlyArray<UnitRange> }
): ReadonlyArray<ReadonlyArray<number>> => {
  const { parts, ...rest } = wanted
  const taken = new Set(wanted.except)
  return parts.map((within) => {
    const chosen = select(ranked, { ...rest, within, except: taken })
    for (const unit of chosen) taken.add(unit)
    return chosen
  })
}

/** Returns the selectable units in a range, best first. */
const candidates = (ranked: Ranked, { from, to }: UnitRange): ReadonlyArray<number> => {
  const valueOf = (unit: number) =>
    (ranked.ranks[unit] ?? 0) + qualityValue[ranked.quality[unit] ?? "repeated"]
  // Sorting 100,000 objects would block other work; numbers are sorted ten times as fast.
  const values = Float64Array.from({ length: to - from }, (_, index) => valueOf(from + index))
  const least = values.toSorted()[Math.max(0, values.length - candidateMax)] ?? 0
  const best: Array<number> = []
  for (const [index, value] of values.entries()) {
    if (value >= Math.max(least, 0)) best.push(from + index)
    // If too many units have the lowest accepted rank, the last of these are omitted.
    if (best.length === 2 * candidateMax) break
  }
  return best.sort((a, b) => valueOf(b) - valueOf(a) || a - b)
}

/**
 * Ranks are from 0 to 1, so every good unit is above every weak one; repeated units are below 0.
 */
const qualityValue: Readonly<Record<Quality, number>> = { good: 2, weak: 0, repeated: -2 }

// Divides a transcript into roughly equal parts, at the positions where the following text shares
// the fewest words with the preceding text (based on TextTiling, Hearst 1997).

/** Number of units compared on either side of a border: a minute of speech. */
const viewUnits = 8

/** How far a border can be moved, as a share of a part. */
const moveShare = 0.35

/**
 * How far a border can be moved, in units. Because of this limit, a ten-hour recording takes no
 * longer than a one-hour recording.
 */
const moveUnitMax = 40

/** Divides the units into the given number of parts. No part is empty if there are enough units. */
const divide = (ranked: Ranked, count: number): ReadonlyArray<UnitRange> => {
  const { length } = ranked.units
  const part = length / count
  const move = Math.min(Math.floor(part * moveShare), moveUnitMax)
  const borders = Array.from({ length: Math.max(0, count - 1) }, (_, index) =>
    bestBorder(ranked, { near: Math.round(part * (index + 1)), move })
  )
  return [0, ...borders].map((from, index) => ({ from, to: borders[index] ?? length }))
}

/**
 * Returns the border where the text before and after it has the least in common, or the nearest of
 * several such borders.
 */
const bestBorder = (
  ranked: Ranked,
  { move, near }: { readonly near: number; readonly move: number }
): number => {
  let best = { at: near, cohesion: Number.POSITIVE_INFINITY }
  for (let step = 0; step <= 2 * move; step += 1) {
    const at = near + (step % 2 === 0 ? step / 2 : -(step + 1) / 2)
    const cohesion = cohesionAt(ranked, at)
    if (cohesion < best.cohesion) best = { at, cohesion }
  }
  return best.at
}

/** Returns a measure of how much the words before a border recur after it: 0 if none recurs. */
const cohesionAt = ({ weights, words }: Ranked, at: number): number => {
  const before = sumOf(words.slice(Math.max(0, at - viewUnits), at), weights.rarityOf)
  const after = sumOf(words.slice(at, at + viewUnits), weights.rarityOf)
  let common = 0
  for (const [term, weight] of before) common += weight * (after.get(term) ?? 0)
  return common / (lengthOf(before) * lengthOf(after) || 1)
}

const sumOf = (
  rows: ReadonlyArray<ReadonlyArray<{ readonly term: string }>>,
  rarityOf: (term: string) => number
): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const row of rows) {
    for (const { term } of row) sums.set(term, (sums.get(term) ?? 0) + rarityOf(term))
  }
  return sums
}

const lengthOf = (sums: ReadonlyMap<string, number>): number =>
  Math.sqrt(Array.from(sums.values()).reduce((sum, value) => sum + value * value, 0))

/**
 * If a transcript has at least this many sentences, its brief summary has three sentences instead
 * of two.
 */
const briefThirdFrom = 8
const briefLeast = 2

/** Minimum number of sentences for a second and for a third paragraph in a medium summary. */
const mediumSecondFrom = 12
const mediumThirdFrom = 30
const mediumSentences = 3
const mediumLeast = 2

const digestSentences = 2

/** The executive summary has two sentences each for the beginning, the middle and the end. */
const executiveParts = 3
const executiveSentences = 2

/** Length of recording per section. If there are too few sentences, there are fewer sections. */
const sectionMillis = 3 * 60_000
const sectionMin = 2
const sectionMax = 10
const sectionUnitMin = 4
const sectionSentences = 4
const sectionKeywords = 3

/** Writes a summary of the given type. */
export const writeSummary = (type: SummaryType, ranked: Ranked): Effect.Effect<string> =>
  type === "long" ? long(ranked) : Effect.sync(() => writers[type](ranked))

const prose = (ranked: Ranked, chosen: ReadonlyArray<number>): string =>
  joinSentences(
    chosen.map((unit) => ranked.units[unit]?.text ?? ""),
    ranked.language
  )

const brief = (ranked: Ranked): string => {
  const count = ranked.units.length < briefThirdFrom ? 2 : 3
  return prose(ranked, select(ranked, { within: whole(ranked), count, least: briefLeast }))
}

const medium = (ranked: Ranked): string => {
  const { length } = ranked.units
  const paragraphs = length < mediumSecondFrom ? 1 : length < mediumThirdFrom ? 2 : 3
  const parts = divide(ranked, paragraphs)
  return selectEach(ranked, { parts, count: mediumSentences, least: mediumLeast })
    .filter((chosen) => chosen.length > 0)
    .map((chosen) => prose(ranked, chosen))
    .join("\n\n")
}

const long = Effect.fnUntraced(function* (ranked: Ranked) {
  const [digestHeading, summaryHeading] = headings[ranked.language]
  const digest = select(ranked, { within: whole(ranked), count: digestSentences })
  // The summary includes a sentence from every part, even if all central sentences are in one part.
  const summary = selectEach(ranked, {
    parts: divide(ranked, executiveParts),
    count: executiveSentences,
    except: new Set(digest)
  }).flat()
  const parts: Array<Part> = [
    [digestHeading, digest],
    // If there are very few sentences, the digest contains all sentences.
    [summaryHeading, summary.length === 0 ? digest : summary]
  ]
  for (const { chosen, within } of sections(ranked, new Set([...digest, ...summary]))) {
    yield* Effect.yieldNow
    parts.push([`${parts.length - 1}. ${headingOf(ranked, within)}`, chosen])
  }
  return parts.map(([heading, chosen]) => `## ${heading}\n\n${prose(ranked, chosen)}`).join("\n\n")
})

type Part = readonly [heading: string, units: ReadonlyArray<number>]

interface Section {
  readonly within: UnitRange
  readonly chosen: ReadonlyArray<number>
}

/**
 * Divides the recording into sections, in order. A part that only repeats other parts gets no
 * section.
 */
const sections = (ranked: Ranked, taken: ReadonlySet<number>): ReadonlyArray<Section> => {
  const { units } = ranked
  const millis = (units.at(-1)?.endMillis ?? 0) - (units.at(0)?.startMillis ?? 0)
  const byTime = Math.min(Math.max(Math.round(millis / sectionMillis), sectionMin), sectionMax)
  const count = Math.max(1, Math.min(byTime, Math.floor(units.length / sectionUnitMin)))
  const parts = divide(ranked, count)
  const found = selectEach(ranked, { parts, count: sectionSentences, except: taken })
  return parts
    .map((within, index) => {
      const fresh = found[index] ?? []
      // If all sentences in a part are already used, the part's best sentence is repeated.
      return { within, chosen: fresh.length > 0 ? fresh : select(ranked, { within, count: 1 }) }
    })
    .filter(({ chosen }) => chosen.length > 0)
}

const headingOf = (ranked: Ranked, within: UnitRange): string => {
  const from = ranked.units[within.from]?.startMillis ?? 0
  const to = ranked.units[within.to - 1]?.endMillis ?? from
  const times = `${clock(from)}–${clock(to)}`
  const terms = keywords(ranked, { within, count: sectionKeywords })
  if (terms.length === 0) return times
  return `${capitalise(terms.join(listSeparator(ranked.language)), ranked.language)} (${times})`
}

const writers: Readonly<Record<Exclude<SummaryType, "long">, (ranked: Ranked) => string>> = {
  brief,
  medium
}

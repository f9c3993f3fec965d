/**
 * Which sentences a summary takes: the highest ranks, without saying a thing twice, in the order in
 * which they were said.
 */
import { isSpaced, type Language } from "@verbatim/core/transcription/Language"
import { similarity, type Weights } from "./LexRank.ts"
import { isQuestion } from "./Prose.ts"
import type { Unit } from "./Units.ts"

/** A transcript with the rank of each sentence. */
export interface Ranked {
  readonly language: Language
  readonly units: ReadonlyArray<Unit>
  /** The words of each unit. */
  readonly words: ReadonlyArray<ReadonlyArray<string>>
  readonly weights: Weights
  readonly ranks: Float64Array
}

/** A part of the units: from one, up to but without another. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** The whole transcript. */
export const whole = ({ units }: Ranked): Stretch => ({ from: 0, to: units.length })

/** The units in so many parts of the same length, give or take one. */
export const divide = ({ units }: Ranked, count: number): ReadonlyArray<Stretch> => {
  const border = (part: number) => Math.round((units.length * part) / count)
  return Array.from({ length: count }, (_, part) => ({ from: border(part), to: border(part + 1) }))
}

/** "Very good." and "Thank you, I agree." are said often and say nothing. */
const wordMin = 5

/** Two sentences as alike as this say the same. */
const repetition = 0.6

/** The best units of a stretch in order of time: `count`, or all when there are not so many. */
export const select = (
  ranked: Ranked,
  wanted: {
    readonly within: Stretch
    readonly count: number
    readonly except?: ReadonlySet<number>
  }
): ReadonlyArray<number> => {
  const { ranks, units, weights, words } = ranked
  const { count, except, within } = wanted
  const isWeak = (unit: number) =>
    (words[unit] ?? []).length < wordMin || isQuestion(units[unit]?.text ?? "")
  const candidates = Array.from({ length: within.to - within.from }, (_, n) => within.from + n)
    .filter((unit) => except === undefined || !except.has(unit))
    .map((unit) => ({ unit, isWeak: Number(isWeak(unit)), rank: ranks[unit] ?? 0 }))
    .sort((a, b) => a.isWeak - b.isWeak || b.rank - a.rank || a.unit - b.unit)
    .map(({ unit }) => unit)

  const chosen: Array<number> = []
  const passedOver: Array<number> = []
  for (const unit of candidates) {
    if (chosen.length === count) break
    const isRepeated = chosen.some((other) => similarity(weights, unit, other) > repetition)
    if (isRepeated) passedOver.push(unit)
    else chosen.push(unit)
  }
  return [...chosen, ...passedOver].slice(0, count).sort((a, b) => a - b)
}

/** Names are no shorter, and shorter words are mostly grammar. */
const keywordCharacterMin = 4
const unspacedKeywordCharacterMin = 2

/** The words that set a stretch apart from the rest, the most telling first. */
export const keywords = (
  { language, weights, words }: Ranked,
  wanted: { readonly within: Stretch; readonly count: number }
): ReadonlyArray<string> => {
  const { count, within } = wanted
  const characterMin = isSpaced(language) ? keywordCharacterMin : unspacedKeywordCharacterMin
  const everywhere = countWords(words)
  const rarity = new Map(weights.vocabulary.map((word, id) => [word, weights.rarity[id] ?? 0]))
  return Array.from(countWords(words.slice(within.from, within.to)))
    .filter(([word]) => word.length >= characterMin && /^\p{L}/u.test(word))
    .map(([word, here]) => ({
      word,
      telling: ((here * here) / (everywhere.get(word) ?? here)) * (rarity.get(word) ?? 0)
    }))
    .filter(({ telling }) => telling > 0)
    .sort((a, b) => b.telling - a.telling || (a.word < b.word ? -1 : 1))
    .slice(0, count)
    .map(({ word }) => word)
}

const countWords = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const word of rows.flat()) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/**
 * Finds keywords for a section's heading: words that are frequent in the section and rare
 * elsewhere. Each keyword keeps its original spelling, together with its most common neighbour.
 */
import { isSpaced, type Language } from "@verbatim/core/transcription"
import type { Counts } from "./Analysis.ts"
import type { Ranked, UnitRange } from "./LexRank.ts"
import type { Term } from "./Terms.ts"

/**
 * Minimum number of letters in a keyword: shorter words are mostly grammar, and hardly ever names.
 */
const letterMin = 4
const unspacedLetterMin = 2

const countTerms = (words: ReadonlyArray<ReadonlyArray<Term>>): Counts => {
  const counts = new Map<string, number>()
  for (const row of words) {
    for (const { term } of row) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}

/** Returns the words that distinguish a range from the rest, best first. */
export const keywords = (
  ranked: Ranked,
  wanted: { readonly within: UnitRange; readonly count: number }
): ReadonlyArray<string> => {
  const { from, to } = wanted.within
  const here = countTerms(ranked.words.slice(from, to))
  const terms = Array.from(here, ([term, times]) => ({
    term,
    value: (times * times * ranked.weights.rarityOf(term)) / (ranked.counts.get(term) ?? times)
  }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || (a.term < b.term ? -1 : 1))

  const chosen: Array<string> = []
  const used = new Set<string>()
  for (const { term } of terms.slice(0, candidateMax)) {
    if (chosen.length === wanted.count) break
    if (used.has(term)) continue
    const found = phraseOf(ranked, { term, within: wanted.within, times: here.get(term) ?? 0 })
    if (found === undefined) continue
    for (const each of found.terms) used.add(each)
    chosen.push(found.text)
  }
  return chosen
}

/**
 * Maximum number of words to try: if none of them fits into a heading, less distinctive words are
 * unlikely to fit.
 */
const candidateMax = 50

interface Phrase {
  readonly text: string
  readonly terms: ReadonlyArray<string>
}

interface PhraseQuery {
  readonly term: string
  readonly within: UnitRange
  readonly times: number
}

/**
 * Returns the word with its usual neighbour if the two occur together at least half of the time,
 * otherwise the word alone.
 */
const phraseOf = (ranked: Ranked, { term, times, within }: PhraseQuery): Phrase | undefined => {
  const singles: Array<Phrase> = []
  const pairs: Array<Phrase> = []
  for (let unit = within.from; unit < within.to; unit += 1) {
    const text = ranked.units[unit]?.text ?? ""
    const words = ranked.words[unit] ?? []
    const add = (phrases: Array<Phrase>, [one, other]: ReadonlyArray<Term | undefined>) => {
      if (one === undefined || other === undefined) return
      const phrase = text.slice(one.from, other.to)
      if (!isFit(phrase, ranked.language)) return
      phrases.push({ text: phrase, terms: one === other ? [term] : [one.term, other.term] })
    }
    for (const [index, word] of words.entries()) {
      if (word.term !== term) continue
      add(singles, [word, word])
      for (const from of [index - 1, index]) {
        const [one, other] = [words[from], words[from + 1]]
        if (isAdjacent(text, one, other)) add(pairs, [one, other])
      }
    }
  }
  const best = mostCommon(pairs)
  const isUsual = best !== undefined && best.times >= 2 && 2 * best.times >= times
  return (isUsual ? best : mostCommon(singles))?.phrase
}

/** Returns the most common spelling and its count, or the first if several are equally common. */
const mostCommon = (phrases: ReadonlyArray<Phrase>) => {
  const counts = new Map<string, { readonly phrase: Phrase; times: number }>()
  for (const phrase of phrases) {
    const cached = counts.get(phrase.text)
    if (cached === undefined) counts.set(phrase.text, { phrase, times: 1 })
    else cached.times += 1
  }
  return [...counts.values()].sort((one, other) => other.times - one.times)[0]
}

const isAdjacent = (text: string, one: Term | undefined, other: Term | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.term !== other.term &&
  /^[ \u00a0-]?$/.test(text.slice(one.to, other.from))

/** Whether a phrase is long enough and consists of words. */
const isFit = (text: string, language: Language): boolean =>
  text.length >= (isSpaced(language) ? letterMin : unspacedLetterMin) &&
  /^\p{L}[\p{L}\p{M}\p{Nd}'’ \u00a0-]*$/u.test(text)

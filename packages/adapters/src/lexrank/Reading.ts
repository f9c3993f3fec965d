/**
 * What is determined for each sentence before the best are chosen: its words, how often they are
 * said, and whether it says anything that has not been said. Ten hours are read in short turns.
 */
import { isSpaced, type Language } from "@verbatim/core/transcription"
import { Effect } from "effect"
import { inBatches } from "./Batches.ts"
import { isQuestion } from "./Prose.ts"
import { type Term, termsIn } from "./Terms.ts"
import type { Unit } from "./Units.ts"

/** How often each term is said in all. */
export type Counts = ReadonlyMap<string, number>

/** A transcript as it was read. */
export interface Reading {
  readonly language: Language
  readonly units: ReadonlyArray<Unit>
  /** The words of each unit that carry meaning. */
  readonly words: ReadonlyArray<ReadonlyArray<Term>>
  /** How often each term is said in all. */
  readonly counts: Counts
  readonly standing: ReadonlyArray<Standing>
}

/**
 * Whether a unit can stand in a summary: not if its words were said before; if it asks or says
 * nothing, only where there is nothing else.
 */
export type Standing = "good" | "weak" | "repeated"

/** Finding the words of this many sentences takes a few milliseconds; then it is others' turn. */
const batchLength = 200

/** "Very good." and "Thank you, I agree." are said often and say nothing. */
const wordMin = 3

/** Reads units from the first to the last. */
export const read = Effect.fnUntraced(function* (units: ReadonlyArray<Unit>, language: Language) {
  const find = termsIn(language)
  const words: Array<ReadonlyArray<Term>> = []
  const counts = new Map<string, number>()
  const standing: Array<Standing> = []
  const said = new Set<string>()
  const each = ({ text }: Unit) => {
    const found = find(text)
    words.push(found)
    for (const { term } of found) counts.set(term, (counts.get(term) ?? 0) + 1)
    const wording = wordingOf(text, language)
    const isWeak = found.length < wordMin || isQuestion(text, language)
    standing.push(said.has(wording) ? "repeated" : isWeak ? "weak" : "good")
    said.add(wording)
  }
  yield* inBatches(units, { batchLength, each })
  const reading: Reading = { language, units, words, counts, standing }
  return reading
})

/** The same for two units that a reader would call the same sentence. */
const wordingOf = (text: string, language: Language): string => {
  const bare = text.replace(/[\p{P}\p{S}\s]+/gu, " ").trim()
  return isSpaced(language) ? bare.toLocaleLowerCase(language) : bare
}

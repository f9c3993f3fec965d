/**
 * What is determined for each sentence before the best are chosen: its words, how often they are
 * said, and whether it says anything that has not been said. Ten hours are read in short turns.
 */
import { isSpaced, type Language } from "@verbatim/core/transcription"
import { Effect } from "effect"
import { type Term, termsIn } from "./Terms.ts"
import { inBatches, type Unit } from "./Units.ts"

// Sentences written one after the other. Text that came without sentence marks gets a capital and a
// full stop, where the language has them.

/** What ends a statement, where it is not a full stop. */
const stops: ReadonlyMap<Language, string> = new Map<Language, string>([
  ["hi", "।"],
  ["hy", "։"],
  ["ja", "。"],
  ["ne", "।"],
  ["th", ""],
  ["zh", "。"]
])

const sentenceEnd = /[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}\p{Pi}"']*$/u
const danglingEnd = /[\s,;:،؛、，；：–—-]+$/u

/** Characters that would turn a sentence into a heading at the start of a line. */
const headingMark = /^[#\s]+(?=[^#\s])/u

/** A unit as a sentence that can stand by itself. */
const sentence = (text: string, language: Language): string => {
  const said = text.toWellFormed().replace(headingMark, "")
  if (sentenceEnd.test(said)) return said
  return `${capitalise(said.replace(danglingEnd, ""), language)}${stops.get(language) ?? "."}`
}

/** A text with a large first letter, in scripts that have one. */
export const capitalise = (text: string, language: Language): string => {
  const [first = ""] = text
  return first.toLocaleUpperCase(language) + text.slice(first.length)
}

/** Sentences as one paragraph. */
export const paragraph = (texts: ReadonlyArray<string>, language: Language): string => {
  // Without a mark at the end, the space is all that separates two sentences.
  const gap = isSpaced(language) || stops.get(language) === "" ? " " : ""
  return texts.map((text) => sentence(text, language)).join(gap)
}

/** What stands between the words of a list. */
export const comma = (language: Language): string => commas.get(language) ?? ", "

const commas: ReadonlyMap<Language, string> = new Map<Language, string>([
  ["ar", "، "],
  ["fa", "، "],
  ["ja", "、"],
  ["zh", "、"]
])

const questionMark = /[?？؟;՞][\p{Pe}\p{Pf}\p{Pi}"']*$/u

/** How to recognise a question whose mark is not written, or was not heard. */
const unmarkedQuestions: ReadonlyMap<Language, RegExp> = new Map<Language, RegExp>([
  ["en", /^(?:can|could|do|does|did|is|are|shall|what|who|whose|how|why)\s[^.!]*$/i],
  ["ja", /(?:か|かな|かしら)[。．]?$/],
  ["th", /(?:ไหม|มั้ย|หรือเปล่า|หรือยัง)\s?(?:ครับ|คะ|ค่ะ)?$/],
  ["zh", /[吗呢][。．]?$/]
])

/** Whether a sentence asks: an answer says more about a conversation than its question. */
const isQuestion = (text: string, language: Language): boolean =>
  questionMark.test(text) || unmarkedQuestions.get(language)?.test(text) === true

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

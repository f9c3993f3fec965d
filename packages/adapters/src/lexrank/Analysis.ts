/**
 * Analyses each sentence before the best ones are chosen: counts the words, and decides whether the
 * sentence says something new. Long transcripts are analysed in short batches.
 */
import { isSpaced, type Language } from "@verbatim/core/transcription"
import { Effect } from "effect"
import { makeTermFinder, type Term } from "./Terms.ts"
import { inBatches, type TextUnit } from "./TextUnits.ts"

// Joins sentences into paragraphs. Text without punctuation gets a capital letter and a full stop
// if the language uses them.

/** The punctuation that ends a sentence in languages that do not use a full stop. */
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

/** Characters that would start a heading at the beginning of a line. */
const headingMark = /^[#\s]+(?=[^#\s])/u

/** Adds a capital letter and closing punctuation where they are missing. */
const sentence = (text: string, language: Language): string => {
  const spoken = text.toWellFormed().replace(headingMark, "")
  if (sentenceEnd.test(spoken)) return spoken
  return `${capitalise(spoken.replace(danglingEnd, ""), language)}${stops.get(language) ?? "."}`
}

/** Capitalises the first letter, in scripts with capitals. */
export const capitalise = (text: string, language: Language): string => {
  const [first = ""] = text
  return first.toLocaleUpperCase(language) + text.slice(first.length)
}

/** Joins sentences into one paragraph. */
export const joinSentences = (texts: ReadonlyArray<string>, language: Language): string => {
  // In a language without closing punctuation, only a space separates two sentences.
  const gap = isSpaced(language) || stops.get(language) === "" ? " " : ""
  return texts.map((text) => sentence(text, language)).join(gap)
}

/** Returns the separator between list entries. */
export const listSeparator = (language: Language): string => listSeparators.get(language) ?? ", "

const listSeparators: ReadonlyMap<Language, string> = new Map<Language, string>([
  ["ar", "، "],
  ["fa", "، "],
  ["ja", "、"],
  ["zh", "、"]
])

const questionMark = /[?？؟;՞][\p{Pe}\p{Pf}\p{Pi}"']*$/u

/** Matches words that begin a question, for transcripts without question marks. */
const unmarkedQuestions: ReadonlyMap<Language, RegExp> = new Map<Language, RegExp>([
  ["en", /^(?:can|could|do|does|did|is|are|shall|what|who|whose|how|why)\s[^.!]*$/i],
  ["ja", /(?:か|かな|かしら)[。．]?$/],
  ["th", /(?:ไหม|มั้ย|หรือเปล่า|หรือยัง)\s?(?:ครับ|คะ|ค่ะ)?$/],
  ["zh", /[吗呢][。．]?$/]
])

/** Whether a sentence is a question. Answers say more about a conversation than questions do. */
const isQuestion = (text: string, language: Language): boolean =>
  questionMark.test(text) || unmarkedQuestions.get(language)?.test(text) === true

/** How often each term occurs in the transcript. */
export type Counts = ReadonlyMap<string, number>

/** A transcript with the words and the quality of each sentence. */
export interface Analysis {
  readonly language: Language
  readonly units: ReadonlyArray<TextUnit>
  /** The meaningful words of each unit. */
  readonly words: ReadonlyArray<ReadonlyArray<Term>>
  readonly counts: Counts
  readonly quality: ReadonlyArray<Quality>
}

/**
 * Whether a unit can be part of a summary. Repeated units cannot; weak units, such as questions and
 * empty phrases, are used only if there are no others.
 */
export type Quality = "good" | "weak" | "repeated"

/**
 * Units per batch. Finding the words of one batch takes a few milliseconds; other work runs between
 * batches.
 */
const batchLength = 200

/**
 * Minimum number of meaningful words: "Very good." and "Thank you, I agree." are frequent and say
 * nothing.
 */
const wordMin = 3

/** Counts the words of each unit, and marks units that are weak or repeat an earlier one. */
export const analyse = Effect.fnUntraced(function* (
  units: ReadonlyArray<TextUnit>,
  language: Language
) {
  const find = makeTermFinder(language)
  const words: Array<ReadonlyArray<Term>> = []
  const counts = new Map<string, number>()
  const quality: Array<Quality> = []
  const spoken = new Set<string>()
  const each = ({ text }: TextUnit) => {
    const found = find(text)
    words.push(found)
    for (const { term } of found) counts.set(term, (counts.get(term) ?? 0) + 1)
    const wording = wordingOf(text, language)
    const isWeak = found.length < wordMin || isQuestion(text, language)
    quality.push(spoken.has(wording) ? "repeated" : isWeak ? "weak" : "good")
    spoken.add(wording)
  }
  yield* inBatches(units, { batchLength, each })
  const analysis: Analysis = { language, units, words, counts, quality }
  return analysis
})

/**
 * Removes punctuation and symbols from a sentence, and converts it to lower case if the language
 * has spaces between words.
 */
const wordingOf = (text: string, language: Language): string => {
  const bare = text.replace(/[\p{P}\p{S}\s]+/gu, " ").trim()
  return isSpaced(language) ? bare.toLocaleLowerCase(language) : bare
}

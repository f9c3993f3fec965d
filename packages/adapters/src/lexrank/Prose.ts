/**
 * Sentences written one after the other. Text that came without sentence marks gets a capital and a
 * full stop, where the language has them.
 */
import { isSpaced, type Language } from "@verbatim/core/transcription"

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
export const isQuestion = (text: string, language: Language): boolean =>
  questionMark.test(text) || unmarkedQuestions.get(language)?.test(text) === true

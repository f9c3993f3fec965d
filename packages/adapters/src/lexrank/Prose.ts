/**
 * Sentences written one after the other. What the engine gave without sentence marks gets a capital
 * and a full stop, where the language has them.
 */
import { isSpaced, type Language } from "@verbatim/core/transcription/Language"

/** What ends a statement, where it is not a full stop. */
const stops: ReadonlyMap<Language, string> = new Map<Language, string>([
  ["hi", "।"],
  ["hy", "։"],
  ["ja", "。"],
  ["ne", "।"],
  ["th", ""],
  ["zh", "。"]
])

const ended = /[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}\p{Pi}"']*$/u
const dangling = /[\s,;:،؛、，；：–—-]+$/u

/** A unit as a sentence that can stand by itself. */
export const sentence = (text: string, language: Language): string => {
  if (ended.test(text)) return text
  return `${capitalised(text.replace(dangling, ""), language)}${stops.get(language) ?? "."}`
}

/** A text with a large first letter, in scripts that have one. */
export const capitalised = (text: string, language: Language): string => {
  const [first = ""] = text
  return first.toLocaleUpperCase(language) + text.slice(first.length)
}

/** Sentences as one paragraph. */
export const paragraph = (texts: ReadonlyArray<string>, language: Language): string => {
  // Without a mark at the end of a sentence the space is all that tells two apart.
  const gap = isSpaced(language) || stops.get(language) === "" ? " " : ""
  return texts.map((text) => sentence(text, language)).join(gap)
}

/** Whether a sentence asks: an answer says more about a conversation than its question. */
export const isQuestion = (text: string): boolean => /[?？؟;՞][\p{Pe}\p{Pf}\p{Pi}"']*$/u.test(text)

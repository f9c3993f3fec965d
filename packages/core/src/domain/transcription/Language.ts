/**
 * The languages a caller may ask for, as ISO 639-1 codes, and how their words are joined.
 */
import { Schema } from "effect"

/** The accepted codes (specification, create request parameters). */
export const languages = [
  ...["af", "ar", "az", "be", "bg", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "es"],
  ...["et", "fa", "fi", "fr", "gl", "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja"],
  ...["kk", "ko", "lt", "lv", "mi", "mk", "ms", "ne", "nl", "no", "pl", "pt", "ro", "ru"],
  ...["sk", "sl", "sr", "sv", "sw", "th", "tr", "uk", "vi", "zh"]
] as const

/** An accepted code, in lower case as the specification lists it. */
export const Language = Schema.Literals(languages)
export type Language = typeof Language.Type

/** Whether a text is an accepted code. */
export const isLanguage = Schema.is(Language)

/** Languages that put no space between words, those that are only ever detected included. */
const unspaced: ReadonlySet<string> = new Set(["ja", "th", "zh", "bo", "km", "lo", "my", "yue"])

/** Whether words are joined by a space. A language that is not listed is. */
export const isSpaced = (language: string): boolean => !unspaced.has(language)

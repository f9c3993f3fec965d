/**
 * Guesses the language of text from its script, to determine how sentences end and whether spaces
 * separate words. Pure.
 */
import type { PieceResult } from "@verbatim/core/transcription"
import { languageCode, undetermined } from "@verbatim/core/transcription"

/** Maps each script to the only or most common language that uses the script. */
const scripts: ReadonlyArray<readonly [RegExp, string]> = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, "ja"],
  [/\p{Script=Hangul}/gu, "ko"],
  [/\p{Script=Han}/gu, "zh"],
  [/\p{Script=Cyrillic}/gu, "ru"],
  [/\p{Script=Arabic}/gu, "ar"],
  [/\p{Script=Greek}/gu, "el"],
  [/\p{Script=Hebrew}/gu, "he"],
  [/\p{Script=Devanagari}/gu, "hi"],
  [/\p{Script=Armenian}/gu, "hy"],
  [/\p{Script=Thai}/gu, "th"],
  [/\p{Script=Bengali}/gu, "bn"],
  [/\p{Script=Georgian}/gu, "ka"],
  [/\p{Script=Gujarati}/gu, "gu"],
  [/\p{Script=Gurmukhi}/gu, "pa"],
  [/\p{Script=Kannada}/gu, "kn"],
  [/\p{Script=Khmer}/gu, "km"],
  [/\p{Script=Lao}/gu, "lo"],
  [/\p{Script=Malayalam}/gu, "ml"],
  [/\p{Script=Myanmar}/gu, "my"],
  [/\p{Script=Sinhala}/gu, "si"],
  [/\p{Script=Tamil}/gu, "ta"],
  [/\p{Script=Telugu}/gu, "te"],
  [/\p{Script=Tibetan}/gu, "bo"],
  [/\p{Script=Latin}/gu, "en"]
]

/** Number of characters needed to recognise a transcript's script. */
const sampleCharacterMax = 10_000

/**
 * Returns a language with rules that fit the script of the text, because some models report no
 * language. The guess is reliable for finding sentence ends, but not for telling apart languages
 * with the same script. The language of text without letters is undetermined.
 */
const languageOfScript = (text: string): string => {
  const sample = text.slice(0, sampleCharacterMax)
  const counts = scripts.map(([script, language]) => {
    const count = sample.match(script)?.length ?? 0
    // Japanese sometimes has more Han than Kana characters, but Chinese never has Kana.
    return { language, count: language === "ja" ? 3 * count : count }
  })
  const most = counts.reduce((best, each) => (each.count > best.count ? each : best))
  return most.count === 0 ? undetermined : most.language
}

// Chooses a recording's language if the request specifies none: the language with the most text.
// Pure.

const textOf = ({ segments }: PieceResult): string => segments.map(({ text }) => text).join(" ")

/**
 * Returns the language code, even for a language that Verbatim does not accept. If the server
 * reports no language, the text's script decides.
 */
export const languageOf = (pieces: ReadonlyArray<PieceResult>): string => {
  const characters = new Map<string | undefined, number>()
  for (const result of pieces) {
    const reported = result.language?.trim() ?? ""
    const language = reported === "" ? undefined : languageCode(reported)
    characters.set(language, (characters.get(language) ?? 0) + textOf(result).length)
  }
  const [most] = [...characters].toSorted(([, one], [, other]) => other - one)
  if (most === undefined) return undetermined
  const [language] = most
  return language ?? languageOfScript(pieces.map(textOf).join(" "))
}

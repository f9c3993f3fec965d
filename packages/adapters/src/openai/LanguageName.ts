/**
 * The languages as servers write them: names in English from Whisper's own table, codes from the
 * others, sometimes with a region. Pure.
 */
import { isLanguage, type Language } from "@verbatim/core/transcription"

/** Whisper's name of every accepted language. */
export const names: Readonly<Record<Language, string>> = {
  af: "afrikaans",
  ar: "arabic",
  az: "azerbaijani",
  be: "belarusian",
  bg: "bulgarian",
  bs: "bosnian",
  ca: "catalan",
  cs: "czech",
  cy: "welsh",
  da: "danish",
  de: "german",
  el: "greek",
  en: "english",
  es: "spanish",
  et: "estonian",
  fa: "persian",
  fi: "finnish",
  fr: "french",
  gl: "galician",
  he: "hebrew",
  hi: "hindi",
  hr: "croatian",
  hu: "hungarian",
  hy: "armenian",
  id: "indonesian",
  is: "icelandic",
  it: "italian",
  ja: "japanese",
  kk: "kazakh",
  ko: "korean",
  lt: "lithuanian",
  lv: "latvian",
  mi: "maori",
  mk: "macedonian",
  ms: "malay",
  ne: "nepali",
  nl: "dutch",
  no: "norwegian",
  pl: "polish",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sk: "slovak",
  sl: "slovenian",
  sr: "serbian",
  sv: "swedish",
  sw: "swahili",
  th: "thai",
  tr: "turkish",
  uk: "ukrainian",
  vi: "vietnamese",
  zh: "chinese"
}

/** Other names in Whisper's table, and codes that stand for an accepted one. */
const others: ReadonlyMap<string, Language> = new Map<string, Language>([
  ["castilian", "es"],
  ["flemish", "nl"],
  ["moldavian", "ro"],
  ["moldovan", "ro"],
  ["valencian", "ca"],
  ["mandarin", "zh"],
  ["cantonese", "zh"],
  ["yue", "zh"],
  ["nynorsk", "no"],
  ["nn", "no"],
  ["nb", "no"],
  ["iw", "he"]
])

const byName: ReadonlyMap<string, Language> = new Map([
  ...Object.entries(names).flatMap(([code, name]) =>
    isLanguage(code) ? [[name, code] as const] : []
  ),
  ...others
])

/** The accepted language that a server means, if it is one. */
export const languageFrom = (text: string): Language | undefined => {
  const word = text.trim().toLowerCase()
  const [code = ""] = word.split(/[-_]/)
  if (isLanguage(code)) return code
  return byName.get(word) ?? byName.get(code)
}

/** Which language is written in a script that few others share. */
const scripts: ReadonlyArray<readonly [RegExp, Language]> = [
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
  [/\p{Script=Latin}/gu, "en"]
]

/** Enough of a transcript to see its script. */
const sampleCharacterMax = 10_000

/**
 * A language whose rules fit the script of a text: some models report none. It is right about where
 * sentences end, not about which language of the script it is.
 */
export const languageOfScript = (text: string): Language => {
  const sample = text.slice(0, sampleCharacterMax)
  const counts = scripts.map(([script, language]) => {
    const count = sample.match(script)?.length ?? 0
    // At times Japanese is written with more Han than Kana, but Chinese with no Kana at all.
    return { language, count: language === "ja" ? 3 * count : count }
  })
  const most = counts.reduce((best, each) => (each.count > best.count ? each : best))
  return most.count === 0 ? "en" : most.language
}

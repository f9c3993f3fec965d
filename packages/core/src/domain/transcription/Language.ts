/**
 * The languages that a caller can request, as ISO 639-1 codes, and whether their words are
 * separated by spaces.
 */
import { Schema } from "effect"

/** The accepted language codes (specification, create request parameters). */
export const languages = [
  ...["af", "ar", "az", "be", "bg", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "es"],
  ...["et", "fa", "fi", "fr", "gl", "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja"],
  ...["kk", "ko", "lt", "lv", "mi", "mk", "ms", "ne", "nl", "no", "pl", "pt", "ro", "ru"],
  ...["sk", "sl", "sr", "sv", "sw", "th", "tr", "uk", "vi", "zh"]
] as const

/** An accepted language code, in lower case as in the specification. */
export const Language = Schema.Literals(languages)
export type Language = typeof Language.Type

/** Whether text is an accepted language code. */
export const isLanguage = Schema.is(Language)

/**
 * Languages without spaces between words, including some that engines detect but that callers
 * cannot request.
 */
const unspaced: ReadonlySet<string> = new Set(["ja", "th", "zh", "bo", "km", "lo", "my", "yue"])

/** Whether a language has spaces between words; true for a language that is not listed. */
export const isSpaced = (language: string): boolean => !unspaced.has(language)

// Converts an engine's name for a language to an ISO 639 code. Some engines use the English names
// from Whisper's table; others use three-letter codes, or codes with a region.

/** The code for an undetermined language (ISO 639-2). */
export const undetermined = "und"

/** Languages that Whisper can detect, but that callers cannot request. */
const onlyDetected = [
  ...["am", "as", "ba", "bn", "bo", "br", "eu", "fo", "gu", "ha", "haw", "ht", "jv", "ka", "km"],
  ...["kn", "la", "lb", "ln", "lo", "mg", "ml", "mn", "mr", "mt", "my", "oc", "pa", "ps", "sa"],
  ...["sd", "si", "sn", "so", "sq", "su", "ta", "te", "tg", "tk", "tl", "tt", "ur", "uz", "yi"],
  "yo"
]

/** Whisper's names that Unicode spells differently. */
const whisperNames: Readonly<Record<string, string>> = {
  bn: "bengali",
  mi: "maori",
  my: "myanmar",
  tl: "tagalog"
}

const displayNames = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" })

/** Returns Whisper's English name for a language code, in lower case; undefined for other codes. */
export const languageName = (code: string): string | undefined => names.get(code)

const names: ReadonlyMap<string, string> = new Map(
  [...languages, ...onlyDetected].map((code): readonly [string, string] => [
    code,
    whisperNames[code] ?? displayNames.of(code)?.toLowerCase() ?? code
  ])
)

/** Other names in Whisper's table, and aliases of codes. */
const others = {
  burmese: "my",
  cantonese: "zh",
  castilian: "es",
  cmn: "zh",
  flemish: "nl",
  haitian: "ht",
  iw: "he",
  jw: "jv",
  letzeburgesch: "lb",
  mandarin: "zh",
  moldavian: "ro",
  moldovan: "ro",
  nb: "no",
  nn: "no",
  nynorsk: "no",
  panjabi: "pa",
  pushto: "ps",
  sinhalese: "si",
  valencian: "ca",
  yue: "zh"
}

const known: ReadonlyMap<string, string> = new Map([
  ...[...names].flatMap(
    ([code, name]): ReadonlyArray<readonly [string, string]> => [
      [name, code],
      [code, code]
    ]
  ),
  ...Object.entries(others)
])

/**
 * Returns the ISO 639 code for the name that an engine gave a language; `und` if the name is
 * unknown.
 */
export const languageCode = (name: string): string => {
  const word = name.trim().toLowerCase()
  const [code = ""] = word.split(/[-_]/)
  const found = known.get(word) ?? known.get(code)
  if (found !== undefined) return found
  if (!/^[a-z]{2,3}$/.test(code) || displayNames.of(code) === undefined) return undetermined
  // `Intl.Locale` replaces a three-letter code with the short code, if there is one: `eng` becomes
  // `en`.
  const { language } = new Intl.Locale(code)
  return known.get(language) ?? language
}

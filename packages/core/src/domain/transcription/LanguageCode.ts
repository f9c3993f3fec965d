/**
 * What an engine calls a language that it has heard, as a code of ISO 639. Some write names in
 * English, from Whisper's own table, some write codes, with a region or with three letters.
 */
import type { Language } from "./Language.ts"

/** The code of a language that nobody can tell (ISO 639-2). */
export const undetermined = "und"

/** Whisper's name of every accepted language. */
const languageNames: Readonly<Record<Language, string>> = {
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

/** The languages that Whisper also knows, and nobody may ask for. */
const onlyDetected = {
  am: "amharic",
  as: "assamese",
  ba: "bashkir",
  bn: "bengali",
  bo: "tibetan",
  br: "breton",
  eu: "basque",
  fo: "faroese",
  gu: "gujarati",
  ha: "hausa",
  haw: "hawaiian",
  ht: "haitian creole",
  jv: "javanese",
  ka: "georgian",
  km: "khmer",
  kn: "kannada",
  la: "latin",
  lb: "luxembourgish",
  ln: "lingala",
  lo: "lao",
  mg: "malagasy",
  ml: "malayalam",
  mn: "mongolian",
  mr: "marathi",
  mt: "maltese",
  my: "myanmar",
  oc: "occitan",
  pa: "punjabi",
  ps: "pashto",
  sa: "sanskrit",
  sd: "sindhi",
  si: "sinhala",
  sn: "shona",
  so: "somali",
  sq: "albanian",
  su: "sundanese",
  ta: "tamil",
  te: "telugu",
  tg: "tajik",
  tk: "turkmen",
  tl: "tagalog",
  tt: "tatar",
  ur: "urdu",
  uz: "uzbek",
  yi: "yiddish",
  yo: "yoruba"
}

/** Whisper's English name of a language by its code, in small letters; none for another code. */
export const languageName = (code: string): string | undefined => names.get(code)

const names: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...languageNames, ...onlyDetected })
)

/** Other names in Whisper's table, and codes that stand for another one. */
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

/** Knows every code of ISO 639 that has a name in English, and no other text. */
const codes = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" })

/** The code of a language that an engine names; `und` for what is no language. */
export const languageCode = (told: string): string => {
  const word = told.trim().toLowerCase()
  const [code = ""] = word.split(/[-_]/)
  const found = known.get(word) ?? known.get(code)
  if (found !== undefined) return found
  if (!/^[a-z]{2,3}$/.test(code) || codes.of(code) === undefined) return undetermined
  // The short form, where there is one: `eng` is `en`.
  const { language } = new Intl.Locale(code)
  return known.get(language) ?? language
}

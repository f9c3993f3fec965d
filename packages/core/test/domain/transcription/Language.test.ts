/**
 * Tests which language codes callers can request, and how language names from engines are mapped to
 * codes.
 */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  isLanguage,
  isSpaced,
  Language,
  languageCode,
  languages
} from "#src/domain/transcription/Language"

const specified =
  "af, ar, az, be, bg, bs, ca, cs, cy, da, de, el, en, es, et, fa, fi, fr, gl, he, hi, hr, hu, " +
  "hy, id, is, it, ja, kk, ko, lt, lv, mi, mk, ms, ne, nl, no, pl, pt, ro, ru, sk, sl, sr, sv, " +
  "sw, th, tr, uk, vi, zh"

describe("Language", () => {
  it("accepts exactly the codes in the specification", () => {
    assert.deepStrictEqual([...languages], specified.split(", "))
  })

  it.each(["EN", "en-GB", "eng", "", "xx", "__proto__", null, 7])("does not accept %j", (code) => {
    assert.isFalse(isLanguage(code))
  })

  it("joins words with a space, except in some Asian languages", () => {
    assert.deepStrictEqual(
      languages.filter((language) => !isSpaced(language)),
      ["ja", "th", "zh"]
    )
    const onlyDetected = ["bo", "km", "lo", "my", "yue", "ta", "ka", "und"]
    assert.deepStrictEqual(onlyDetected.filter(isSpaced), ["ta", "ka", "und"])
    assert.isTrue(isSpaced("not a code"))
  })
})

/** Codes in Whisper's own table (tokenizer.py) that callers cannot request. */
const whispered = [
  ...["am", "as", "ba", "bn", "bo", "br", "eu", "fo", "gu", "ha", "haw", "ht", "jw", "ka", "km"],
  ...["kn", "la", "lb", "ln", "lo", "mg", "ml", "mn", "mr", "mt", "my", "oc", "pa", "ps", "sa"],
  ...["sd", "si", "sn", "so", "sq", "su", "ta", "te", "tg", "tk", "tl", "tt", "ur", "uz", "yi"],
  "yo"
]

/** Language names, as engines and people spell them, with their codes. */
const named = {
  tamil: "ta",
  basque: "eu",
  Georgian: "ka",
  bengali: "bn",
  urdu: "ur",
  tagalog: "tl",
  latin: "la",
  "haitian creole": "ht",
  burmese: "my",
  " English ": "en",
  castilian: "es"
}

/** Codes from other or older standards, and codes of languages that belong to a macrolanguage. */
const coded = {
  "pt-BR": "pt",
  zh_Hant: "zh",
  eng: "en",
  deu: "de",
  tam: "ta",
  jw: "jv",
  nn: "no",
  yue: "zh",
  ceb: "ceb",
  ga: "ga"
}

describe("the code for a language that an engine reports", () => {
  it.each(Object.entries(named))("is found for the language name %s", (name, code) => {
    assert.strictEqual(languageCode(name), code)
  })

  it.each(Object.entries(coded))("is the ISO 639 code for %s", (name, code) => {
    assert.strictEqual(languageCode(name), code)
  })

  it.each(["", "unknown", "auto", "und", "xx", "qq", "q", "klingon-ish", "__proto__", "\0", "🎙"])(
    "is und for %j",
    (name) => {
      assert.strictEqual(languageCode(name), "und")
    }
  )

  it("is known for all of Whisper's languages", () => {
    const codes = whispered.map(languageCode)
    assert.strictEqual(new Set(codes).size, whispered.length)
    assert.isFalse(codes.some((code) => code === "und" || Schema.is(Language)(code)))
  })

  it.prop("is mapped to itself, whatever language name it came from", [Schema.String], ([name]) => {
    const code = languageCode(name)
    assert.match(code, /^[a-z]{2,3}$/)
    assert.strictEqual(languageCode(code), code)
  })
})

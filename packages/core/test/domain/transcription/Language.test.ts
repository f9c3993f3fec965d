/** The accepted codes are exactly the codes in the specification. */
import { assert, describe, it } from "@effect/vitest"
import { isLanguage, isSpaced, languages } from "#src/domain/transcription/Language"

const specified =
  "af, ar, az, be, bg, bs, ca, cs, cy, da, de, el, en, es, et, fa, fi, fr, gl, he, hi, hr, hu, " +
  "hy, id, is, it, ja, kk, ko, lt, lv, mi, mk, ms, ne, nl, no, pl, pt, ro, ru, sk, sl, sr, sv, " +
  "sw, th, tr, uk, vi, zh"

describe("Language", () => {
  it("accepts exactly the codes of the specification", () => {
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

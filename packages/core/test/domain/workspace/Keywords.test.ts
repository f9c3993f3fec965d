/** Tests the limits on keywords, and how lists of keywords are joined. */
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import {
  fromText,
  keywordLengthMax,
  keywordMax,
  keywordsLengthMax,
  readKeywords
} from "#src/domain/workspace/Keywords"

/**
 * Distinct words with this number of characters; a letter outside the basic plane counts as one.
 */
const words = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => {
    const end = `${index}`
    return `${"𝒳".repeat(length - end.length)}${end}`
  })

const isAccepted = (value: unknown): boolean => Option.isSome(readKeywords(value))

describe("a workspace's keywords", () => {
  it("are limited in number, in length and in total length", () => {
    assert.isTrue(isAccepted(words(keywordMax, 3)))
    assert.isFalse(isAccepted(words(keywordMax + 1, 3)))
    assert.isTrue(isAccepted(words(1, keywordLengthMax)))
    assert.isFalse(isAccepted(words(1, keywordLengthMax + 1)))
    const full = words(Math.floor(keywordsLengthMax / keywordLengthMax), keywordLengthMax)
    const room = keywordsLengthMax % keywordLengthMax
    assert.isTrue(isAccepted([...full, "y".repeat(room)]))
    assert.isFalse(isAccepted([...full, "y".repeat(room + 1)]))
  })

  it("can be words or phrases, but cannot contain invisible characters", () => {
    assert.isTrue(isAccepted(["Zoë Baker", "C++", "🎙"]))
    for (const wrong of ["", " Elbe", "Elbe ", "a\nb", "a\0", "\ud800"]) {
      assert.isFalse(isAccepted([wrong]), JSON.stringify(wrong))
    }
    assert.isFalse(isAccepted("Elbe"))
  })

  it("are separated by commas in a form field, or sent as JSON if one contains a comma", () => {
    assert.deepStrictEqual(fromText("Elbe, , Köhlbrand,"), ["Elbe", "Köhlbrand"])
    assert.deepStrictEqual(fromText(' ["Baker, Zoë"]'), ["Baker, Zoë"])
    assert.strictEqual(fromText("[Elbe"), "[Elbe")
  })
})

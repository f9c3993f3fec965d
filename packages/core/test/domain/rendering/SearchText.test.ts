/** Tests which words find a transcript, and which of its passages a search shows. */
import { assert, describe, it } from "@effect/vitest"
import {
  findMoments,
  makeSearchText,
  searchedLengthMax,
  toSearchText
} from "#src/domain/rendering/SearchText"
import { queryWords } from "#src/domain/rendering/SearchWords"
import { turns } from "#src/domain/rendering/Turns"
import { anyTranscript, transcriptOf } from "./transcripts.ts"

/** Removes spaces and characters that databases cannot store. */
const inked = (text: string) => text.replaceAll("\0", "").toWellFormed().replaceAll(/\s/g, "")

const textsOf = (passages: string) =>
  passages.split("\n").map((line) => line.slice(line.lastIndexOf("\t") + 1))

describe("the searchable form of a transcript", () => {
  it.prop("contains every word of every speaker turn", [anyTranscript], ([transcript]) => {
    const words = new Set(toSearchText(transcript).words.split(" "))
    for (const { text } of turns(transcript)) {
      assert.deepStrictEqual(
        queryWords(text).filter((word) => !words.has(word)),
        []
      )
    }
  })

  it.prop("contains the whole text, in short passages", [anyTranscript], ([transcript]) => {
    const { passages } = toSearchText(transcript)
    // Joining the turns first would combine the halves of a character from two turns.
    const text = turns(transcript)
      .map((turn) => inked(turn.text))
      .join("")
    const lines = passages === "" ? [] : passages.split("\n")
    assert.strictEqual(
      inked(lines.map((line) => line.split("\t").slice(2).join("\t")).join("")),
      text
    )
    for (const line of textsOf(passages)) assert.isAtMost(line.length, 200)
  })

  it("shows the passages with the most words, in chronological order", () => {
    const { passages } = toSearchText(
      transcriptOf("en", [
        [0, 1, 0, "A red boat."],
        [1, 2, 0, "A boat. A red one."],
        [3, 4, 1, "Red!"],
        [5, 6, 1, "The boat is red."]
      ])
    )
    const shown = (query: string) =>
      findMoments(passages, queryWords(query)).map(({ text }) => text)
    assert.deepStrictEqual(shown("boat RED"), ["A red boat.", "The boat is red."])
    assert.deepStrictEqual(shown("réd"), ["A red boat.", "A red one.", "Red!"])
    assert.deepStrictEqual(shown("boats"), [])
  })

  it("contains words that the engine cut, and the names of speakers", () => {
    const { segments, ...head } = transcriptOf("en", [
      [0, 1, 0, "Hel"],
      [1, 2, 0, "lo."],
      [2, 3, 1, "Bye."]
    ])
    const [first, second, third] = segments
    if (first === undefined || second === undefined || third === undefined) return assert.fail()
    const { passages, words } = toSearchText({
      ...head,
      segments: [first, { ...second, hasSpaceBefore: false }, { ...third, speaker: "Zoë Ng" }]
    })
    assert.strictEqual(words, "hello zoe ng bye")
    assert.deepStrictEqual(findMoments(passages, ["zoe"]), [{ startMillis: 2_000, text: "Bye." }])
  })

  it("has a limited length", () => {
    const { add, build } = makeSearchText()
    const part = (number: number) =>
      transcriptOf("en", [[number, number + 1, 0, `word${number} `.repeat(10_000)]])
    let number = 0
    while (add(part(number))) number += 1
    const { passages, words } = build()
    assert.isAtLeast(passages.length, searchedLengthMax)
    assert.isAtMost(passages.length, 1.2 * searchedLengthMax)
    assert.include(words, `word${number}`)
  })

  it("contains less than a megabyte of words in any script", () => {
    const letters = Array.from({ length: 600_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * index) % 20_000))
    )
    const { words } = toSearchText(transcriptOf("zh", [[0, 1, 0, letters.join("")]]))
    assert.isAtMost(new TextEncoder().encode(words).length, 600_000)
  })
})

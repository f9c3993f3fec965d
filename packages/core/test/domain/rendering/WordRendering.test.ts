/**
 * A word list contains every word with its timestamps, and shows which timestamps are estimated.
 */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { WordJson, wordJson } from "#src/domain/rendering/WordRendering"
import type { Transcript } from "#src/domain/transcription/Transcript"
import { anyTranscript, letters, transcriptOf } from "./transcripts.ts"

/** Parses the body, and checks that it has exactly the fields of the schema. */
const parsed = (transcript: Transcript): WordJson =>
  Schema.decodeUnknownSync(WordJson)(JSON.parse(wordJson(transcript)), {
    onExcessProperty: "error"
  })

/** Formats each word as `start-end text`, with a `?` if the timestamps are estimated. */
const read = (transcript: Transcript) =>
  parsed(transcript).list.map(
    ({ end, estimated, start, text }) => `${start}-${end} ${text}${estimated ? " ?" : ""}`
  )

describe("WordRendering", () => {
  it("renders words with their punctuation and the engine's timestamps", () => {
    const words = ["We", "left"].map((text, index) => ({
      startMillis: 100 + index * 700,
      endMillis: 600 + index * 700,
      text
    }))
    const transcript = transcriptOf("en", [[0, 2, 1, "We left."]])
    const segments = transcript.segments.map((segment) => ({ ...segment, words }))
    assert.deepStrictEqual(parsed({ ...transcript, segments }), {
      duration: "2",
      language: "en",
      list: [
        { start: "0.1", end: "0.6", speaker: "speaker_1", text: "We" },
        { start: "0.8", end: "1.3", speaker: "speaker_1", text: "left." }
      ]
    })
  })

  it("estimates timestamps from the number of characters, and marks them as estimated", () => {
    const transcript = transcriptOf("en", [
      [0, 1, 0, " The boats  "],
      [1, 2, 0, "left."]
    ])
    assert.deepStrictEqual(read(transcript), ["0-0.333 The ?", "0.444-1 boats ?", "1-2 left."])
  })

  it("finds words in a language without spaces", () => {
    assert.deepStrictEqual(read(transcriptOf("ja", [[0, 4, 0, "「船」は、"]])), [
      "0-2.4 「船」 ?",
      "2.4-4 は、 ?"
    ])
  })

  it("renders more words than fit into one batch", () => {
    const many = transcriptOf("en", [[0, 2_500, 0, "one two three four five ".repeat(500)]])
    const words = parsed(many).list
    assert.strictEqual(words.length, 2_500)
    assert.strictEqual(words.map(({ text }) => text).join(" "), many.segments[0]?.text.trim())
  })

  it.prop("contains the whole text in its original order", [anyTranscript], ([transcript]) => {
    const given = transcript.segments.map(({ text }) => text).join("")
    const { list } = parsed(transcript)
    assert.strictEqual(letters(list.map(({ text }) => text).join("")), letters(given))
    assert.isTrue(list.every(({ text }) => text !== "" && text === text.trim()))
  })

  it.prop("never starts a word before the previous one", [anyTranscript], ([transcript]) => {
    let latest = 0
    for (const { end, start } of parsed(transcript).list) {
      assert.isTrue(latest <= Number(start) && Number(start) <= Number(end))
      latest = Number(start)
    }
  })
})

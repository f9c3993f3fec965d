/**
 * Tests segments that end within a word. Servers differ in how they mark the beginning of a word.
 */
import { assert, describe, it } from "@effect/vitest"
import { plainText } from "@verbatim/core/rendering"
import type { Transcript } from "@verbatim/core/transcription"
import { Arbitrary, Result, Schema } from "effect"
import { segmentsOf, toPieceResult } from "#src/engines/pieces/Timeline"
import { parseAnswer } from "#src/engines/pieces/TranscriptionAnswer"

/** Transcribes a minute of audio with a server that returns this response. */
const transcriptOf = (language: string, answer: object): Transcript => {
  const parsed = Result.getOrThrow(parseAnswer(answer, 60))
  const result = toPieceResult(parsed, { known: new Set<string>(), millis: 60_000 })
  const piece = { startMillis: 0, endMillis: 60_000, result }
  const segments = segmentsOf([piece], { isDiarized: false })
  return { durationMillis: 60_000, language, segments }
}

/** Returns one segment of 0.1 s for each string. */
const timed = (texts: ReadonlyArray<string>) =>
  texts.map((text, index) => ({ start: index / 10, end: (index + 1) / 10, text }))

const defaultRecognition = (
  language: string,
  texts: ReadonlyArray<string>,
  text = texts.join("")
) => plainText(transcriptOf(language, { text, segments: timed(texts) }))

const word = Schema.Literals(["I", "hear", "Hello", "world.", "Grüße,", "船が", "3.5", "नमस्ते।"])

/** Generates random text, and the pieces that result from cutting it at random positions. */
const anyCut = Arbitrary.map(
  Arbitrary.schema(
    Schema.Struct({
      words: Schema.NonEmptyArray(word),
      at: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })))
    })
  ),
  ({ at, words }) => {
    const text = words.join(" ")
    const cuts = [...new Set([0, ...at.map((each) => each % text.length), text.length])]
    cuts.sort((one, other) => one - other)
    return { text, texts: cuts.slice(1).map((to, index) => text.slice(cuts[index], to)) }
  }
)

describe("segments that end within a word", () => {
  it("are joined according to the spaces in Whisper's segments", () => {
    assert.strictEqual(defaultRecognition("en", [" Hel", "lo wor", "ld."]), "Hello world.")
    assert.strictEqual(
      defaultRecognition("en", ["H", "i", " ", "t", "h", "e", "r", "e"]),
      "Hi there"
    )
    assert.strictEqual(defaultRecognition("en", ["Hi ", "there", " you"]), "Hi there you")
  })

  it("are joined according to the full text if the segments are trimmed", () => {
    assert.strictEqual(
      defaultRecognition("en", ["Hel", "lo", "world."], "Hello world."),
      "Hello world."
    )
    assert.strictEqual(defaultRecognition("en", ["Hi", "there"], " Hi\n there\n"), "Hi there")
    assert.strictEqual(defaultRecognition("en", ["Hi", "there"], "Something else"), "Hi there")
    assert.strictEqual(defaultRecognition("en", ["Hi", "there"], "Hithere and more"), "Hithere")
  })

  it("are joined without spaces in a language that has none, even across lines", () => {
    assert.strictEqual(defaultRecognition("zh", ["今", "天天", "气"]), "今天天气")
    assert.strictEqual(defaultRecognition("zh", ["今天", "天气"], "今天\n天气\n"), "今天天气")
    assert.strictEqual(
      defaultRecognition("zh", ["我用", " iPhone", " Pro", "打"]),
      "我用 iPhone Pro打"
    )
  })

  it("are joined by the language's rule if the server returns segments out of order", () => {
    const segments = [
      { start: 2, end: 3, text: "lo" },
      { start: 0, end: 1, text: " Hel" }
    ]
    const transcript = transcriptOf("en", { text: "", segments })
    assert.strictEqual(plainText(transcript), "Hel lo")
  })

  it.prop(
    "are joined into the original text, wherever it was cut",
    [anyCut],
    ([{ text, texts }]) => {
      assert.strictEqual(defaultRecognition("en", texts), text)
      const trimmed = texts.map((each) => each.trim())
      assert.strictEqual(defaultRecognition("en", trimmed, text), text)
    }
  )
})

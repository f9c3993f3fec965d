/**
 * Every rendering contains the same text wherever the engine cuts it, even in the middle of a word.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { paragraphJson, paragraphText } from "#src/domain/rendering/Paragraphs"
import { plainJson, plainText, srt, vtt } from "#src/domain/rendering/Rendering"
import { wordJson } from "#src/domain/rendering/WordRendering"
import { toTranscript } from "#src/domain/transcription/RecognisedTranscript"
import type { Segment, Transcript } from "#src/domain/transcription/Transcript"
import { transcriptOf } from "./transcripts.ts"

const word = Schema.Union([
  Schema.Literals(["I", "hear", "Hello", "world.", "why?", "the", "Grüße,", "3.5", "it's", "No!"]),
  Schema.Literals(["船が", "今天", "天气。", "สวัสดี", "नमस्ते।", "👩‍👩‍👧", "e\u0301te\u0301"])
])

const isWhole = (text: string, cut: number): boolean => text.slice(0, cut).isWellFormed()

/** Each character takes ten milliseconds, so no pause starts a cue or a paragraph. */
const characterMillis = 10

interface Cut {
  readonly text: string
  readonly at: ReadonlyArray<number>
  /** Whether the engine trims its segments. */
  readonly isTrimmed: boolean
  readonly hasWords: boolean
}

/** The output of an engine that cuts the text at these positions and reports its spaces. */
const segmentsOf = ({ at, hasWords, isTrimmed, text }: Cut): ReadonlyArray<Segment> => {
  const cuts = at.map((each) => each % text.length)
  // No cut splits a surrogate pair, because no engine sends half a character.
  const bounds = [
    0,
    ...new Set(cuts.filter((each) => each > 0 && isWhole(text, each))),
    text.length
  ]
  bounds.sort((one, other) => one - other)
  return bounds.slice(1).map((to, index) => {
    const from = bounds[index] ?? 0
    const written = text.slice(from, to)
    const segment = {
      startMillis: from * characterMillis,
      endMillis: to * characterMillis,
      speaker: "speaker_0",
      text: isTrimmed ? written.trim() : written,
      hasSpaceBefore: /\s$/.test(text.slice(0, from)) || /^\s/.test(written)
    }
    if (!hasWords) return segment
    const words = Array.from(written.matchAll(/\S+/g), ({ 0: spelling, index: start }) => ({
      startMillis: (from + start) * characterMillis,
      endMillis: (from + start + spelling.length) * characterMillis,
      text: spelling
    }))
    return { ...segment, words }
  })
}

const anyCut = Arbitrary.map(
  Arbitrary.schema(
    Schema.Struct({
      words: Schema.NonEmptyArray(word),
      at: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 }))),
      isTrimmed: Schema.Boolean,
      hasWords: Schema.Boolean
    })
  ),
  ({ words, ...cut }): Cut => ({ ...cut, text: words.join(" ") })
)

const transcriptFrom = (language: string, cut: Cut): Transcript =>
  toTranscript({
    recognised: { language, segments: segmentsOf(cut) },
    durationMillis: cut.text.length * characterMillis,
    isDiarized: true
  })

/** The lines of text in a subtitle file, without timestamps, numbers and tags. */
const shown = (file: string): ReadonlyArray<string> =>
  file
    .split("\n")
    .map((line) => line.replace(/^<v [^>]*>/, ""))
    .filter((line) => line !== "" && !/^(?:WEBVTT|\d+|.* --> .*)$/.test(line))

const texts = (list: ReadonlyArray<{ readonly text: string }>) => list.map(({ text }) => text)

describe("Text that an engine cuts at any position", () => {
  it.prop(
    "is complete in plain_text, plain_json, paragraph_text and paragraph_json",
    [Schema.Literals(["en", "de", "zh", "th", "ta", "und"]), anyCut],
    ([language, cut]) => {
      const { text } = cut
      const transcript = transcriptFrom(language, cut)
      assert.strictEqual(plainText(transcript), text)
      assert.deepStrictEqual(texts(plainJson(transcript).list), [text])
      assert.deepStrictEqual(texts(paragraphJson(transcript).list), [text])
      assert.strictEqual(paragraphText(transcript), `0:00:00 speaker_0\n${text}\n\n`)
    }
  )

  it.prop("contains no split words in subtitles, word lists or sentences", [anyCut], ([cut]) => {
    const words = cut.text.split(" ")
    const transcript = transcriptFrom("en", cut)
    assert.deepStrictEqual(texts(JSON.parse(wordJson(transcript)).list), words)
    for (const file of [srt(transcript), vtt(transcript)]) {
      assert.deepStrictEqual(shown(file).join(" ").split(" "), words)
    }
    const [paragraph] = paragraphJson(transcript).list
    const sentences = texts(paragraph?.sentences ?? [])
    assert.deepStrictEqual(sentences.join(" ").split(" "), words)
  })

  it("keeps the timestamps of a word that spans several segments", () => {
    const { segments, ...others } = transcriptOf("en", [
      [0, 1, 0, " Hel"],
      [1, 2, 0, "lo wor"],
      [2, 3, 0, "ld."]
    ])
    const isKnown = [true, false, false]
    const flagged = segments.map((each, index) => ({ ...each, hasSpaceBefore: isKnown[index] }))
    const words = JSON.parse(wordJson({ ...others, segments: flagged } as Transcript)).list
    const speaker = "speaker_0"
    assert.deepStrictEqual(words, [
      { start: "0", end: "1.333", speaker, text: "Hello", estimated: true },
      { start: "1.5", end: "3", speaker, text: "world.", estimated: true }
    ])
  })

  it("keeps a space even in a language without spaces between words", () => {
    const { segments, ...others } = transcriptOf("zh", [
      [0, 1, 0, "我用 iPhone"],
      [1, 2, 0, "Pro"],
      [2, 3, 0, "打电话"]
    ])
    const flagged = segments.map((each, index) => ({ ...each, hasSpaceBefore: index === 1 }))
    assert.strictEqual(plainText({ ...others, segments: flagged }), "我用 iPhone Pro打电话")
  })
})

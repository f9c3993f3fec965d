import { assert, describe, it } from "@effect/vitest"
import { Segment } from "@verbatim/core/transcription"
import { Effect, Option, Result, Schema } from "effect"
import { languageOf } from "#src/engines/LanguageOfScript"
import { segmentsOf, toPieceResult } from "#src/engines/pieces/Timeline"
import { parseAnswer } from "#src/engines/pieces/TranscriptionAnswer"
import { transcribeAnswer } from "./Transcribing.ts"

describe("The lenient parser", () => {
  it.live("accepts any language in a response, and treats an unknown one as missing", () =>
    Effect.gen(function* () {
      for (const [language, text, code] of [
        ["urdu", "سلام دنیا", "ur"],
        ["basque", "Kaixo mundua", "eu"],
        ["Tagalog", "Kumusta", "tl"],
        ["klingon", "nuqneH", "und"],
        ["unknown", "வணக்கம்", "und"],
        // No language is reported, so it is detected from the script of the text.
        [undefined, "வணக்கம்", "ta"],
        [null, "გამარჯობა", "ka"],
        ["", "今天", "zh"],
        [undefined, "...", "und"]
      ] as const) {
        const { recognised } = yield* transcribeAnswer({ text, language })
        assert.strictEqual(recognised.language, code)
        assert.strictEqual(recognised.segments[0]?.text, text)
      }
    })
  )
})

/** Responses with the server's field names, and with any JSON as values. */
const anyWord = Schema.Struct({ word: Schema.Json, start: Schema.Json, end: Schema.Json })
const anySegment = Schema.Struct({
  text: Schema.Union([Schema.String, Schema.Json]),
  start: Schema.Union([Schema.Finite, Schema.Json]),
  end: Schema.Union([Schema.Finite, Schema.Json]),
  speaker: Schema.Json,
  words: Schema.Union([Schema.Array(anyWord), Schema.Json])
})
const anyAnswer = Schema.Union([
  Schema.Json,
  Schema.Struct({
    text: Schema.String,
    language: Schema.Json,
    segments: Schema.Array(anySegment),
    words: Schema.Union([Schema.Array(anyWord), Schema.Json])
  })
])

describe("any response from a server", () => {
  it.prop(
    "becomes an error message, or valid segments in order and within the piece",
    [Schema.Array(anyAnswer).check(Schema.isMaxLength(3)), Schema.Boolean],
    ([answers, isDiarized]) => {
      const pieces = answers.flatMap((answer, index) =>
        Option.match(Result.getSuccess(parseAnswer(answer, 10)), {
          onNone: () => [],
          onSome: (answer) => ({
            startMillis: index * 10_000,
            endMillis: (index + 1) * 10_000,
            result: toPieceResult(answer, { known: new Set<string>(), millis: 10_000 })
          })
        })
      )
      const segments = segmentsOf(pieces, { isDiarized })
      assert.isTrue(Schema.is(Schema.Array(Segment))(segments))
      let latest = 0
      const speakers: Array<string> = []
      for (const { endMillis, speaker, startMillis, text, words = [] } of segments) {
        assert.isAtLeast(startMillis, latest)
        assert.isAtLeast(endMillis, startMillis)
        assert.isAtMost(endMillis, answers.length * 10_000)
        assert.isTrue(text !== "" && text.isWellFormed() && !/\p{Cc}/u.test(text))
        let spoken = startMillis
        for (const word of words) {
          assert.isAtLeast(word.startMillis, spoken)
          assert.isAtLeast(word.endMillis, word.startMillis)
          assert.isAtMost(word.endMillis, endMillis)
          spoken = word.endMillis
        }
        latest = startMillis
        if (!speakers.includes(speaker)) speakers.push(speaker)
      }
      assert.deepStrictEqual(
        speakers,
        speakers.map((_, index) => `speaker_${index}`)
      )
      languageOf(pieces.map(({ result }) => result))
    }
  )
})

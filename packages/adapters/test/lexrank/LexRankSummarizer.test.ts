import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/lexrank"
import { languages } from "@verbatim/core/transcription"
import { SummarizerContract } from "@verbatim/testkit/contracts"
import { Effect, Schema } from "effect"
import { summarize, unmarked } from "./Transcripts.ts"

const sentencesOf = (text: string) => text.split(/(?<=[.?!]) /)

describe("LexRankSummarizer", () => {
  it.effect("writes speech without punctuation as sentences", () =>
    Effect.gen(function* () {
      const text = yield* summarize("brief", "en", unmarked)
      for (const sentence of sentencesOf(text)) assert.match(sentence, /^[A-Z][^.]+\.$/)
      const japanese = yield* summarize("brief", "ja", [
        "今日は会議です",
        "会議は橋の話です",
        "橋は新しいです"
      ])
      assert.match(japanese, /^[^。\s]+。[^。\s]+。$/)
    })
  )

  it.effect("does not separate a title such as Dr. from the name", () =>
    Effect.gen(function* () {
      const lines = ["We met Dr. Smith about the bridge. It was Mr. J. Jones who built the bridge."]
      assert.strictEqual(yield* summarize("brief", "en", lines), lines[0])
    })
  )

  it.effect("writes every type of summary in every language, known or unknown", () =>
    Effect.gen(function* () {
      for (const language of [...languages, "", "not a language"]) {
        for (const type of ["brief", "medium", "long"] as const) {
          const text = yield* summarize(type, language, [
            "ein kurzer satz",
            "日本語の文",
            "جملة واحدة؟"
          ])
          assert.isAbove(text.length, 10, language)
        }
      }
    })
  )

  it.effect("cuts an hour of speech without punctuation into parts of reasonable length", () =>
    Effect.gen(function* () {
      for (const [language, hour] of [
        ["en", "we talk about boats and bridges ".repeat(2_000)],
        ["th", "สวัสดีครับวันนี้อากาศดีมาก".repeat(2_000)],
        ["en", "x".repeat(50_000)]
      ] as const) {
        assert.isBelow((yield* summarize("brief", language, [hour])).length, 1_300)
      }
    })
  )

  it.effect("fails if there is nothing to summarise", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(summarize("brief", "en", [" "]))
      assert.strictEqual(error.reason._tag, "EngineFailed")
    })
  )

  it.effect.prop(
    "accepts any text, and is deterministic",
    [Schema.Array(Schema.String)],
    ([texts]) =>
      Effect.gen(function* () {
        const lines = ["One sentence is always there.", ...texts]
        const once = yield* summarize("long", "en", lines)
        assert.strictEqual(yield* summarize("long", "en", lines), once)
        assert.isAbove(once.length, 0)
      })
  )
})

SummarizerContract.suite("lexrank", layer)

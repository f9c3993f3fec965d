import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { heard } from "./Heard.ts"

describe("A lenient reader", () => {
  it.live("takes segments whose words are null, and an answer with no text at all", () =>
    Effect.gen(function* () {
      const segment = { id: 0, start: 0, end: 1, text: "Hi", words: null }
      const partial = yield* heard({ text: "Hi", language: "en", segments: [segment] })
      assert.isFalse("words" in (partial.recognised.segments[0] ?? {}))
      const silent = yield* heard({ text: "", language: "nynorsk", segments: [], words: [] })
      assert.deepStrictEqual(silent.recognised.segments, [])
      assert.strictEqual(silent.recognised.language, "en")
    })
  )

  it.live("keeps times in order and within the audio, whatever the server says", () =>
    Effect.gen(function* () {
      const { recognised } = yield* heard({
        text: "a b c",
        language: "en",
        segments: [
          { start: 2, end: 900, text: "b" },
          { start: "-1", end: "0.5", text: "a\u0000\ud800" },
          { start: 2.5, end: 1, text: "c" },
          { start: "NaN", end: null, text: "d" }
        ]
      })
      assert.deepStrictEqual(
        recognised.segments.map(({ endMillis, startMillis, text }) => [
          startMillis,
          endMillis,
          text
        ]),
        [
          [0, 500, "a \ufffd"],
          [1_000, 1_000, "d"],
          [2_000, 3_000, "b"],
          [2_500, 2_500, "c"]
        ]
      )
    })
  )
})

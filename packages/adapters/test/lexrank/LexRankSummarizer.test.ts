/** Tests that any text, however extreme, yields a short summary in limited time. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/lexrank"
import { Summarizer } from "@verbatim/core/ports"
import { languages } from "@verbatim/core/transcription"
import { SummarizerContract } from "@verbatim/testkit/contracts"
import { chooseCases } from "@verbatim/testkit/laws"
import { Effect, Schema } from "effect"
import { many, summarize, transcriptOf, unmarked } from "./Transcripts.ts"

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

const table: ReadonlyArray<readonly [name: string, lines: ReadonlyArray<string>]> = [
  ["a sentence of 2 MB", ["we talk about boats and bridges ".repeat(65_000)]],
  ["a word of 2 MB", ["x".repeat(2_000_000)]],
  ["megabytes of joined emoji", ["👩‍👩‍👧‍👦".repeat(90_000)]],
  ["letters separated by zero-width characters", ["a\u200d\u200b".repeat(100_000)]],
  ["one letter under a million accents", [`a${"\u0301".repeat(1_000_000)}`]],
  ["questions without a word", ["? ".repeat(300_000)]],
  ["NUL", [`${"\0".repeat(300_000)} a`]],
  ["lone surrogates", ["\ud83d ".repeat(100_000)]],
  ["words in alternating directions", ["\u202eabc\u202c שלום ".repeat(50_000)]],
  ["initials without a name", ["A. ".repeat(50_000)]],
  ["one sentence 30,000 times", new Array<string>(30_000).fill("We talk about boats again.")],
  ["one sentence with 10,000 numbers", Array.from({ length: 10_000 }, (_, n) => `It costs ${n}.`)],
  ["a spoken heading", ["## Boats and bridges and harbours are a heading."]]
]

/** Each text, once in a language that puts spaces between words, and once in one that does not. */
const cases = chooseCases(
  table.flatMap(([name, lines]) => ["en", "th"].map((language) => ({ name, language, lines }))),
  2
)

/** Reads the CPU time of this process, which other processes do not affect. */
const processorMicros = (): number => {
  const { system, user } = process.cpuUsage()
  return system + user
}

/**
 * Time limit for a test that takes two to six seconds on an idle machine, but far longer on a busy
 * one.
 */
const slow = 240_000

describe("LexRankSummarizer with extreme input", () => {
  it.live.each(cases)(
    "returns a short summary for $name, in $language",
    ({ language, lines }) =>
      Effect.gen(function* () {
        const { summarize } = yield* Summarizer
        const transcript = transcriptOf(language, lines)
        const text = yield* summarize({ type: "long", transcript })
        assert.isAbove(text.length, 0)
        assert.isBelow(text.length, 10_000)
        assert.isTrue(text.isWellFormed())
        // A digest, a summary and at most ten sections have headings. A spoken line that looks like
        // a heading must not become one.
        const headings = text.split("\n").filter((line) => /^#/.test(line))
        assert.isAtMost(headings.length, 12)
        assert.isTrue(headings.every((heading) => !heading.startsWith("## Boats")))
      }).pipe(Effect.provide(layer)),
    slow
  )

  it.live(
    "reads ten hours of speech in linear time, and lets other work run",
    () =>
      Effect.gen(function* () {
        const { summarize } = yield* Summarizer
        /** Returns the CPU time of the work, and its longest turn of the event loop. */
        const worked = Effect.fnUntraced(function* (sentences: number) {
          const transcript = transcriptOf("en", many(sentences))
          let longest = 0
          const watch = Effect.gen(function* () {
            const before = processorMicros()
            yield* Effect.callback<void>((resume) => {
              setImmediate(() => resume(Effect.void))
            })
            longest = Math.max(longest, processorMicros() - before)
          })
          const watching = yield* Effect.forkChild(Effect.forever(watch))
          const before = processorMicros()
          yield* summarize({ type: "long", transcript })
          watching.interruptUnsafe()
          return { longest, whole: processorMicros() - before }
        })
        // On an idle core, the longest turn takes a fourteenth of the total time. It is enough if
        // one of three rounds stays below the limit, because the process also does other work.
        let [share, growth] = [1, Number.POSITIVE_INFINITY]
        for (let round = 0; round < 3 && (share >= 1 / 3 || growth >= 30); round += 1) {
          const hour = yield* worked(720)
          const tenHours = yield* worked(7_200)
          share = Math.min(share, tenHours.longest / tenHours.whole)
          growth = Math.min(growth, tenHours.whole / hour.whole)
        }
        assert.isBelow(share, 1 / 3)
        assert.isBelow(growth, 30)
      }).pipe(Effect.provide(layer)),
    slow
  )
})

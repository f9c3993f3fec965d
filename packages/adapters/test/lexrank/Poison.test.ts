/** Texts that nobody says: each gives a short summary in bounded time. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/lexrank"
import { Summarizer } from "@verbatim/core/ports/Summarizer"
import { Duration, Effect } from "effect"
import { many, transcriptOf } from "./Transcripts.ts"

const table: ReadonlyArray<readonly [name: string, lines: ReadonlyArray<string>]> = [
  ["a sentence of 2 MB", ["we talk about boats and bridges ".repeat(65_000)]],
  ["a word of 2 MB", ["x".repeat(2_000_000)]],
  ["a megabyte of joined pictures", ["👩‍👩‍👧‍👦".repeat(90_000)]],
  ["letters parted by characters without width", ["a\u200d\u200b".repeat(300_000)]],
  ["one letter under a million accents", [`a${"\u0301".repeat(1_000_000)}`]],
  ["questions without a word", ["? ".repeat(300_000)]],
  ["NUL", [`${"\0".repeat(300_000)} a`]],
  ["lone surrogates", ["\ud83d ".repeat(100_000)]],
  ["words from right to left and back", ["\u202eabc\u202c שלום ".repeat(50_000)]],
  ["initials without a name", ["A. ".repeat(100_000)]],
  ["one sentence 100,000 times", new Array<string>(100_000).fill("We talk about boats again.")],
  ["one sentence with 30,000 numbers", Array.from({ length: 30_000 }, (_, n) => `It costs ${n}.`)],
  ["a heading that is said", ["## Boats and bridges and harbours are a heading."]]
]

/** Two to six seconds of an idle machine, several times that on a busy one. */
const slow = 60_000

describe("LexRankSummarizer, poisoned", () => {
  it.live.each(table)(
    "by %s",
    ([, lines]) =>
      Effect.gen(function* () {
        const { summarize } = yield* Summarizer
        for (const language of ["en", "th"]) {
          const transcript = transcriptOf(language, lines)
          const text = yield* summarize({ type: "long", transcript })
          assert.isAbove(text.length, 0)
          assert.isBelow(text.length, 10_000)
          assert.isTrue(text.isWellFormed())
          // A digest, a summary, and at most ten sections: nobody says a heading.
          const headings = text.split("\n").filter((line) => /^#/.test(line))
          assert.isAtMost(headings.length, 12)
          assert.isTrue(headings.every((heading) => !heading.startsWith("## Boats")))
        }
      }).pipe(Effect.provide(layer)),
    slow
  )

  it.live(
    "lets others have their turn while it reads ten hours",
    () =>
      Effect.gen(function* () {
        const { summarize } = yield* Summarizer
        const transcript = transcriptOf("en", many(7_200))
        let longest = 0
        const watch = Effect.gen(function* () {
          const before = performance.now()
          yield* Effect.callback<void>((resume) => {
            setImmediate(() => resume(Effect.void))
          })
          longest = Math.max(longest, performance.now() - before)
        })
        const watching = yield* Effect.forkChild(Effect.forever(watch))
        const [taken] = yield* Effect.timed(summarize({ type: "long", transcript }))
        watching.interruptUnsafe()
        // 0.3 s and 30 ms on an idle core; others may be at work on it.
        assert.isBelow(Duration.toMillis(taken), 6_000)
        assert.isBelow(longest, 500)
      }).pipe(Effect.provide(layer)),
    slow
  )
})

/** Tests that any text, however extreme, yields a short summary in limited time. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/lexrank"
import { Summarizer } from "@verbatim/core/ports"
import { chooseCases } from "@verbatim/testkit/laws"
import { Effect } from "effect"
import { many, transcriptOf } from "./Transcripts.ts"

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

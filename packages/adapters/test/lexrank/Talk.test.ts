/** Checks summaries of natural speech, as a reader would. The transcripts are in `talk/`. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { SummaryType } from "@verbatim/core/summary"
import { isSpaced } from "@verbatim/core/transcription"
import { Effect, Schema } from "effect"
import { headings } from "#src/lexrank/Headings"
import { summarize } from "./Transcripts.ts"

const talks = [
  ["council", "en"],
  ["garten", "de"],
  ["station", "ja"],
  ["market", "ar"],
  ["rice", "th"],
  ["hospital", "zh"]
] as const

type Language = (typeof talks)[number][1]

const linesOf = (name: string, language: string): ReadonlyArray<string> =>
  readFileSync(join(import.meta.dirname, "talk", `${name}.${language}.txt`), "utf8")
    .trim()
    .split("\n")

/** Reduces text to its words, without punctuation, spaces or capitals. */
const bare = (text: string) => text.toLowerCase().replace(/[\p{P}\p{S}\s]+/gu, "")

/** Counts how often each line of a talk occurs in a text. */
const saidIn = (text: string, lines: ReadonlyArray<string>) =>
  lines.map((line) => bare(text).split(bare(line)).length - 1)

const proseOf = (text: string) =>
  text
    .split("\n\n")
    .filter((part) => !part.startsWith("## "))
    .join("\n\n")

const headingsOf = (text: string) =>
  text
    .split("\n\n")
    .filter((part) => part.startsWith("## "))
    .map((part) => part.replace(/^## (?:\d+\. )?/, "").replace(/ ?\([\d:–]+\)$/, ""))

describe.each(talks)("a summary of %s.%s", (name, language: Language) => {
  const lines = linesOf(name, language)
  /** The lines that are not part of another line, as short answers can be. */
  const chosen = lines.filter((line) =>
    lines.every((o) => o === line || !bare(o).includes(bare(line)))
  )

  for (const type of SummaryType.literals) {
    it.effect(`repeats spoken sentences in order, and each only once (${type})`, () =>
      Effect.gen(function* () {
        const text = yield* summarize(type, language, lines)
        const counts = saidIn(proseOf(text), chosen)
        assert.isTrue(counts.every((count) => count <= 1))
        for (const paragraph of proseOf(text).split("\n\n")) {
          const found = chosen.filter((line) => bare(paragraph).includes(bare(line)))
          assert.strictEqual(bare(found.join("")), bare(paragraph), paragraph)
        }
      })
    )
  }

  it.effect("has headings in the talk's language, made of words from the talk if it is long", () =>
    Effect.gen(function* () {
      const [digest, executive, ...rest] = headingsOf(yield* summarize("long", language, lines))
      assert.deepStrictEqual([digest, executive], [...headings[language]])
      assert.isAtLeast(rest.length, 2)
      const all = lines.join("\n").toLowerCase()
      for (const words of rest.flatMap((each) => each.split(/, |، |、/))) {
        assert.include(all, words.toLowerCase())
        assert.isAtLeast(words.length, isSpaced(language) ? 4 : 2)
      }
    })
  )
})

describe("a summary of the council meeting", () => {
  const lines = linesOf("council", "en")

  it.effect("covers the different topics of the meeting", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(headingsOf(yield* summarize("long", "en", lines)).slice(2), [
        "Library, drains, small hall",
        "Call, hospital, company",
        "Christmas lights, playground, shops"
      ])
    })
  )

  it.effect("prefers statements to questions and small talk", () =>
    Effect.gen(function* () {
      const text = proseOf(yield* summarize("long", "en", lines))
      for (const empty of ["Right.", "Me too.", "Wonderful", "?", "That is fair", "Thank you"]) {
        assert.notInclude(text, empty)
      }
    })
  )
})

const vocabulary = ["Boats", "bridge", "the", "needs", "MONEY", "ten", "harbour.", "Why?", "l'eau"]
const line = Schema.Array(Schema.Literals(vocabulary))

describe("a summary of any text", () => {
  it.effect.prop(
    "contains only words that were spoken",
    { lines: Schema.Array(line), type: SummaryType },
    ({ lines, type }) =>
      Effect.gen(function* () {
        const said = [...lines.map((words) => words.join(" ")), "Somebody said hello."]
        const words = (text: string) => text.toLowerCase().match(/[\p{L}']+/gu) ?? []
        const known = new Set([...said, ...headings.en].flatMap(words))
        const text = yield* summarize(type, "en", said)
        for (const word of words(text)) assert.isTrue(known.has(word), word)
      })
  )
})

/** Comparing texts: nothing is lost on either side, and what is the same is told so. */
import { it } from "@effect/vitest"
import { Schema } from "effect"
import { assert, describe } from "vitest"
import { compareSequences } from "../../page/diff/Sequences.ts"
import { compareTexts, type Line } from "../../page/diff/Texts.ts"

const write = (lines: ReadonlyArray<Line | undefined>): string =>
  lines
    .filter((line) => line !== undefined)
    .map(({ pieces }) => pieces.map(({ text }) => text).join(""))
    .join("\n")

const Letters = Schema.Array(Schema.Literals(["a", "b", "c"]))

const Prose = Schema.Array(
  Schema.Literals(["You write minutes.\n", "Be brief. ", "\n", "Be kind.", " ", "{}\n", "é"])
)

describe("compareSequences", () => {
  it.prop("keeps both sides", { from: Letters, to: Letters }, ({ from, to }) => {
    const runs = compareSequences<string>(from, to)
    const side = (kind: "added" | "removed") =>
      runs.filter((run) => run.kind === "same" || run.kind === kind).flatMap(({ items }) => items)
    assert.deepStrictEqual(side("removed"), [...from])
    assert.deepStrictEqual(side("added"), [...to])
  })

  it("finds the shortest way", () => {
    const runs = compareSequences([..."abcabba"], [..."cbabac"])
    const edits = runs.filter(({ kind }) => kind !== "same").flatMap(({ items }) => items)
    assert.strictEqual(edits.length, 5)
  })

  it("gives up where everything is different, and still loses nothing", () => {
    const from = Array.from({ length: 3_000 }, (_, index) => `a${index}`)
    const to = Array.from({ length: 3_000 }, (_, index) => `b${index}`)
    const [gone, come] = compareSequences(from, to)
    assert.deepStrictEqual(gone, { kind: "removed", items: from })
    assert.deepStrictEqual(come, { kind: "added", items: to })
  })
})

describe("compareTexts", () => {
  it.prop("keeps both texts", { from: Prose, to: Prose }, (given) => {
    const [from, to] = [given.from.join(""), given.to.join("")]
    const pairs = compareTexts(from, to)
    assert.strictEqual(write(pairs.map(({ left }) => left)), from)
    assert.strictEqual(write(pairs.map(({ right }) => right)), to)
    for (const { isSame, left, right } of pairs) {
      if (isSame) assert.deepStrictEqual(left?.pieces, right?.pieces)
    }
  })

  it("marks the words that changed", () => {
    const [pair] = compareTexts("Write short minutes.", "Write long minutes.")
    const marked = (line: Line | undefined) =>
      line?.pieces.filter(({ isMarked }) => isMarked).map(({ text }) => text)
    assert.deepStrictEqual(marked(pair?.left), ["short"])
    assert.deepStrictEqual(marked(pair?.right), ["long"])
  })
})

/** Tests that a comparison loses no text on either side, and marks equal lines as equal. */
import { it } from "@effect/vitest"
import { Schema } from "effect"
import { assert, describe } from "vitest"
import { compareTexts, type Line } from "../../page/diff/Texts.ts"

const write = (lines: ReadonlyArray<Line | undefined>): string =>
  lines
    .filter((line) => line !== undefined)
    .map(({ pieces }) => pieces.map(({ text }) => text).join(""))
    .join("\n")

const Prose = Schema.Array(
  Schema.Literals(["You write minutes.\n", "Be brief. ", "\n", "Be kind.", " ", "{}\n", "é"])
)

describe("compareTexts", () => {
  it.prop("keeps every character of both texts", { from: Prose, to: Prose }, (given) => {
    const [from, to] = [given.from.join(""), given.to.join("")]
    const pairs = compareTexts(from, to)
    assert.strictEqual(write(pairs.map(({ left }) => left)), from)
    assert.strictEqual(write(pairs.map(({ right }) => right)), to)
    for (const { isSame, left, right } of pairs) {
      if (isSame) assert.deepStrictEqual(left?.pieces, right?.pieces)
    }
  })

  it("marks only the words that changed", () => {
    const [pair] = compareTexts("Write short minutes.", "Write long minutes.")
    const marked = (line: Line | undefined) =>
      line?.pieces.filter(({ isMarked }) => isMarked).map(({ text }) => text)
    assert.deepStrictEqual(marked(pair?.left), ["short"])
    assert.deepStrictEqual(marked(pair?.right), ["long"])
  })
})

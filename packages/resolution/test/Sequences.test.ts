/**
 * Tests that comparing two sequences loses no item of either, and finds the shortest list of edits.
 */
import { it } from "@effect/vitest"
import { Schema } from "effect"
import { assert, describe } from "vitest"
import { compareSequences } from "#src/Sequences"

const Letters = Schema.Array(Schema.Literals(["a", "b", "c"]))

describe("compareSequences", () => {
  it.prop("keeps the items of both sequences", { from: Letters, to: Letters }, ({ from, to }) => {
    const runs = compareSequences<string>(from, to)
    const side = (kind: "added" | "removed") =>
      runs.filter((run) => run.kind === "same" || run.kind === kind).flatMap(({ items }) => items)
    assert.deepStrictEqual(side("removed"), [...from])
    assert.deepStrictEqual(side("added"), [...to])
  })

  it("finds the shortest list of edits", () => {
    const runs = compareSequences([..."abcabba"], [..."cbabac"])
    const edits = runs.filter(({ kind }) => kind !== "same").flatMap(({ items }) => items)
    assert.strictEqual(edits.length, 5)
  })
})

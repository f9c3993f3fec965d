import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { alignWords, countKeywords, countWords } from "#src/samples/WordErrors"

/** Texts with few different words, so two texts often have words in common. */
const Text = Schema.Array(Schema.Literals(["boat", "trip", "harbour", "Ann"])).check(
  Schema.isMaxLength(8)
)

const join = (words: ReadonlyArray<string>): string => words.join(" ")

describe("counting word errors", () => {
  it("finds wrong, missed and invented words, regardless of case and spelling", () => {
    const pairs = alignWords("Mr. Baker, ten boats here!", "mister Maker 10 boats and here")
    assert.deepStrictEqual(countWords(pairs), { spoken: 5, correct: 4, errors: 2, invented: 1 })
    const missed = countWords(alignWords("one two three", "one three"))
    assert.deepStrictEqual(missed, { spoken: 3, correct: 2, errors: 1, invented: 0 })
  })

  it("finds recognised and invented keywords", () => {
    const pairs = alignWords("ask Ann and Bob", "Ann ask and bob Ann")
    const counts = countKeywords(pairs, ["ANN", "Bob"])
    assert.deepStrictEqual(counts, { spoken: 2, found: 1, invented: 2 })
  })

  it.prop("keeps all words of both texts in their order", [Text, Text], ([spoken, heard]) => {
    const pairs = alignWords(join(spoken), join(heard))
    assert.strictEqual(join(pairs.flatMap(([word]) => word ?? [])), join(spoken).toLowerCase())
    assert.strictEqual(join(pairs.flatMap(([, word]) => word ?? [])), join(heard).toLowerCase())
  })

  it.prop(
    "finds as many errors if the texts are swapped, and at most one per word",
    [Text, Text],
    ([one, other]) => {
      const { correct, errors } = countWords(alignWords(join(one), join(other)))
      assert.strictEqual(countWords(alignWords(join(other), join(one))).errors, errors)
      assert.isAtMost(errors, Math.max(one.length, other.length))
      assert.isAtLeast(errors, Math.abs(one.length - other.length))
      if (join(one) === join(other)) assert.strictEqual(correct, one.length)
    }
  )
})

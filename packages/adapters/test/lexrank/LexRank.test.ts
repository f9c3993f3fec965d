import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as LexRank from "#src/lexrank/LexRank"

const words = (text: string) => text.split(" ").map((term) => ({ term }))

const sum = (values: Float64Array) => values.reduce((all, value) => all + value, 0)

describe("LexRank", () => {
  it.effect("ranks a repeated statement above a statement that occurs only once", () =>
    Effect.gen(function* () {
      const weights = yield* LexRank.weigh([
        words("the bridge budget grew"),
        words("steel for the bridge"),
        words("lunch was served"),
        words("the budget needs steel")
      ])
      const ranks = yield* LexRank.rank(weights)
      const lunch = ranks[2] ?? 0
      for (const other of [0, 1, 3]) assert.isAbove(ranks[other] ?? 0, lunch)
      assert.approximately(sum(ranks), 1, 1e-6)
    })
  )

  const rows = Schema.Array(
    Schema.Array(Schema.Struct({ term: Schema.Literals(["a", "b", "c", "d", "e"]) }))
  )

  it.effect.prop("returns non-negative ranks that sum to 1", [rows], ([documents]) =>
    Effect.gen(function* () {
      const weights = yield* LexRank.weigh([words("a"), ...documents])
      const ranks = yield* LexRank.rank(weights)
      assert.approximately(sum(ranks), 1, 1e-6)
      assert.isTrue(ranks.every((each) => each > 0))
    })
  )

  it.effect.prop("measures similarity from 0 to 1, symmetrically", [rows], ([documents]) =>
    Effect.gen(function* () {
      const weights = yield* LexRank.weigh(documents)
      documents.forEach((_, one) => {
        documents.forEach((_, other) => {
          const alike = LexRank.similarity(weights, one, other)
          assert.isTrue(alike >= 0 && alike <= 1 + 1e-9)
          assert.strictEqual(LexRank.similarity(weights, other, one), alike)
        })
      })
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expectedSeries, movedSeries } from "../sql/Counting.ts"
import { onFile } from "./TemporaryDatabase.ts"

describe("the metrics of SQLite", () => {
  it.live("move when it serves", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* movedSeries(onFile), expectedSeries("sqlite", ["transaction"]))
    }).pipe(Effect.scoped)
  )
})

/**
 * A database has one media store: the first that it adopted.
 */
import { JobStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { upTo } from "../../../samples/Ids.ts"
import { atOnce, type Case } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** All of them. */
export const media: ReadonlyArray<Case<JobStore>> = [
  {
    title: "has no media store at first, and then the first of many that come at once",
    effect: Effect.gen(function* () {
      const store = yield* JobStore
      yield* store.mediaMark.pipe(Expect.gives("there is none at first", Option.none()))
      const markers = upTo(8).map((number) => `marker ${number}`)
      const answers = new Set(yield* atOnce(markers, (marker) => store.adoptMedia(marker)))
      yield* Expect.that("all are told of the same one", { actual: answers.size, expected: 1 })
      const [first = ""] = answers
      yield* Expect.holds("it is one of them", markers.includes(first))
      yield* Expect.that("it stays", {
        actual: [yield* store.adoptMedia("late"), yield* store.mediaMark],
        expected: [first, Option.some(first)]
      })
    })
  }
]

/**
 * A database has one media store: the first that it adopted, until an operator replaces it.
 */
import { JobStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { upTo } from "../../../samples/Ids.ts"
import { atOnce, type Case, listCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const readMarker = Effect.flatMap(JobStore, ({ mediaMark }) =>
  Effect.map(mediaMark, ({ marker }) => marker)
)

/** All of them. */
export const media: ReadonlyArray<Case<JobStore>> = listCases(JobStore, {
  *"has no media store at first, and then the first of many that come at once"(store) {
    yield* readMarker.pipe(Expect.gives("there is none at first", Option.none()))
    const markers = upTo(8).map((number) => `marker ${number}`)
    const answers = new Set(
      yield* atOnce(markers, (marker) => store.adoptMedia({ marker, isReplacing: false }))
    )
    yield* Expect.that("all are told of the same one", answers.size).is(1)
    const [first = ""] = answers
    yield* Expect.holds("it is one of them", markers.includes(first))
    yield* Expect.that("it stays", [
      yield* store.adoptMedia({ marker: "late", isReplacing: false }),
      yield* readMarker
    ]).is([first, Option.some(first)])
  },
  *"takes another media store where the first is to be replaced"(store) {
    yield* store.adoptMedia({ marker: "first", isReplacing: false })
    yield* Expect.that("the second replaces it", [
      yield* store.adoptMedia({ marker: "second", isReplacing: true }),
      yield* readMarker
    ]).is(["second", Option.some("second")])
  },
  *"has one identity, is no copy of itself, and was made before now"(store) {
    const before = yield* store.mediaMark
    yield* store.adoptMedia({ marker: "first", isReplacing: false })
    const after = yield* store.mediaMark
    yield* Expect.that("it has the same identity", after.identity).is(before.identity)
    yield* Expect.holds("it is no copy", !before.isCopied && !after.isCopied)
    const now = yield* store.now
    yield* Expect.holds(
      "it is not from the future",
      after.createdAt.epochMilliseconds <= now.epochMilliseconds
    )
  }
})

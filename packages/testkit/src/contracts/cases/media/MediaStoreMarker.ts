/**
 * A store is recognised by its marker: the first one that it got.
 */
import { MediaStore } from "@verbatim/core/ports"
import { Duration, Effect, Option, Stream } from "effect"
import { upTo } from "../../../samples/Ids.ts"
import { advance, atOnce, type Case, listCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { bytesOf, keyOf, listKeys, type Ports, put } from "./MediaStoreContent.ts"

const isMarked = (text: string) =>
  Effect.flatMap(MediaStore, (store) =>
    Effect.flatMap(store.marker, (actual) =>
      Expect.that("the marker is the one given", actual).is(Option.some(text))
    )
  )

/** All of them. */
export const markers: ReadonlyArray<Case<Ports>> = listCases(MediaStore, {
  *"has no marker at first, and then the one it was given"(store) {
    yield* put(keyOf(1), Stream.make(bytesOf(10)))
    yield* store.marker.pipe(Expect.gives("content is no marker", Option.none()))
    yield* store.mark("first").pipe(Expect.gives("the answer is the marker", "first"))
    yield* isMarked("first")
  },
  *"keeps its first marker, whoever else marks it"(store) {
    const names = upTo(8).map((number) => `marker ${number}`)
    const answers = new Set(yield* atOnce(names, (name) => store.mark(name)))
    yield* Expect.that("all are told of the same one", answers.size).is(1)
    const [first = ""] = answers
    yield* isMarked(first)
    yield* store.mark("late").pipe(Expect.gives("so is everybody later", first))
    yield* isMarked(first)
  },
  *"replaces its marker where that is wanted, and keeps the new one"(store) {
    yield* store.mark("first", { isReplacing: true })
    yield* isMarked("first")
    const second = store.mark("second", { isReplacing: true })
    yield* second.pipe(Expect.gives("the answer is the new marker", "second"))
    yield* isMarked("second")
    yield* store.mark("late").pipe(Expect.gives("the new one stays", "second"))
  },
  *"keeps its marker apart from the content"(store) {
    yield* store.mark("first")
    yield* put(keyOf(1), Stream.make(bytesOf(10)))
    yield* advance(Duration.hours(48))
    const keys = yield* listKeys(Duration.hours(24))
    yield* Expect.that("the content alone is listed", keys).is([keyOf(1)])
    yield* Effect.forEach(keys, store.remove, { discard: true })
    yield* isMarked("first")
  }
})

/** The promises of a `MediaStore` about parts of a content. */
import { MediaStore } from "@verbatim/core/ports"
import { Effect, Stream } from "effect"
import { type Case, listCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { bytesOf, keyOf, type Ports, put, toChunks } from "./MediaStoreContent.ts"

const collected = <E>(stream: Stream.Stream<Uint8Array, E>) =>
  Effect.map(Stream.runCollect(stream), (chunks) => chunks.flatMap((chunk) => [...chunk]))

const opened = (from: number, to: number) =>
  Effect.flatMap(MediaStore, (store) => store.read({ key: keyOf(1), from, to }))

/** What a store promises about stretches. */
export const stretches: ReadonlyArray<Case<Ports>> = listCases(MediaStore, {
  *"reads any stretch of a content, and nothing beyond"() {
    const bytes = bytesOf(200_000)
    yield* put(keyOf(1), toChunks(bytes, 65_536))
    for (const [from, to] of [
      [0, 200_000],
      [0, 1],
      [199_999, 200_000],
      [65_535, 131_073],
      [7, 7]
    ] as const) {
      const found = yield* Effect.scoped(Effect.flatMap(opened(from, to), collected))
      const expected = [...bytes.slice(from, to)]
      yield* Expect.holds(
        `the bytes from ${from} to ${to}`,
        found.length === expected.length && found.every((byte, at) => byte === expected[at])
      )
    }
  },
  *"reads on in what was opened, or fails, when its key is removed or stored again"(store) {
    const bytes = bytesOf(200_000)
    for (const change of [
      store.remove(keyOf(1)),
      put(keyOf(1), toChunks(bytesOf(200_000, 2), 65_536))
    ]) {
      yield* put(keyOf(1), toChunks(bytes, 65_536))
      const found = yield* Effect.scoped(
        Effect.gen(function* () {
          const stream = yield* opened(0, 200_000)
          yield* change
          return yield* Effect.orElseSucceed(collected(stream), () => [...bytes])
        })
      )
      const isSame = found.length === 200_000 && found.every((byte, at) => byte === bytes[at])
      yield* Expect.holds("never another content", isSame)
    }
  },
  "says when there is no content to read": Expect.refuses(Effect.scoped(opened(0, 1)), "Missing")
})

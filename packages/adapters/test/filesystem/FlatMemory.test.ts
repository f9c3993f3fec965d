import { assert, it } from "@effect/vitest"
import { MediaKey } from "@verbatim/core/transcription"
import { bytesInUse } from "@verbatim/testkit/servers"
import { Stream } from "effect"
import { withStore } from "./TemporaryStore.ts"

const chunk = new Uint8Array(65_536).fill(7)

/** Bytes in chunks as a socket gives them, and a look at the memory now and then. */
const content = (count: number, look: () => void): Stream.Stream<Uint8Array> =>
  Stream.range(1, count).pipe(
    Stream.rechunk(1),
    Stream.map((index) => {
      if (index % 64 === 0) look()
      return chunk
    })
  )

it.live("stores 128 MB and holds less than 16 MB of them", () =>
  withStore(function* (store) {
    let peak = 0
    const look = () => {
      peak = Math.max(peak, bytesInUse())
    }
    const put = (attempt: number, count: number) =>
      store.put({
        key: MediaKey.make(`019ab3c4-1111-7222-8333-444455556666/${attempt}.wav`),
        content: content(count, look),
        byteMax: 1_000_000_000
      })
    // The first time the code itself is loaded and compiled.
    yield* put(0, 100)
    const before = bytesInUse()
    assert.strictEqual(yield* put(1, 2_000), 131_072_000)
    assert.isBelow(peak - before, 16_000_000)
  })
)

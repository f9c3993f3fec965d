/** Never stops replacing stored content, so that a test can kill the program while it writes. */
import { layer } from "@verbatim/adapters/filesystem"
import { MediaStore } from "@verbatim/core/ports"
import type { MediaKey } from "@verbatim/core/transcription"
import { Effect, Stream } from "effect"

const [directory = "", key = ""] = process.argv.slice(2)

const chunk = new Uint8Array(65_536).fill(2)

/**
 * The program prints a line after it has written this many chunks. The old content has only one
 * chunk.
 */
const toldAfter = 20

const content = Stream.range(1, Number.MAX_SAFE_INTEGER).pipe(
  Stream.rechunk(1),
  Stream.mapEffect((index) =>
    Effect.gen(function* () {
      if (index === toldAfter) process.stdout.write("half way\n")
      if (index > toldAfter) yield* Effect.never
      return chunk
    })
  )
)

const replacing = Effect.flatMap(MediaStore, (store) =>
  store.put({ key: key as MediaKey, content, byteMax: Number.MAX_SAFE_INTEGER })
)

await Effect.runPromise(Effect.provide(replacing, layer({ directory })))

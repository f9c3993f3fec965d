/** A host's own media store, which encrypts all content before another store keeps it. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { MediaStore, MediaStoreError } from "@verbatim/core/ports"
import { Effect, Layer, Stream } from "effect"

const cipher = "aes-256-ctr"

/** Length of the initialization vector at the beginning of each file. */
const headBytes = 16

const seal = <E, R>(content: Stream.Stream<Uint8Array, E, R>, key: Uint8Array) =>
  Stream.suspend(() => {
    const head = randomBytes(headBytes)
    const sealing = createCipheriv(cipher, key, head)
    return Stream.concat(
      Stream.succeed<Uint8Array>(head),
      Stream.map(content, (bytes) => sealing.update(bytes))
    )
  })

const unsealInto = async (path: string, folder: string, key: Uint8Array): Promise<string> => {
  await using file = await open(path)
  const head = Buffer.alloc(headBytes)
  await file.read(head, 0, headBytes, 0)
  const plain = join(folder, "media")
  const unsealing = createDecipheriv(cipher, key, head)
  await pipeline(createReadStream(path, { start: headBytes }), unsealing, createWriteStream(plain))
  return plain
}

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "sealed-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const unavailable = (cause: unknown) =>
  new MediaStoreError({ operation: "open", reason: { _tag: "Unavailable", cause } })

/** Creates a layer in front of any other media store. */
export const layer = (key: Uint8Array): Layer.Layer<MediaStore, never, MediaStore> =>
  Layer.effect(
    MediaStore,
    Effect.map(MediaStore, (store) => {
      const open: typeof store.open = Effect.fnUntraced(function* (name) {
        const sealed = yield* store.open(name)
        const directory = yield* folder
        const plain = yield* Effect.tryPromise({
          try: () => unsealInto(sealed.path, directory, key),
          catch: unavailable
        })
        return { ...sealed, path: plain, byteLength: sealed.byteLength - headBytes }
      })
      return MediaStore.of({
        ...store,
        open,
        // Encrypted content can be read only after all of it is decrypted.
        read: Effect.fnUntraced(function* ({ from, key: name, to }) {
          const { path } = yield* open(name)
          if (from >= to) return Stream.empty
          const bytes = createReadStream(path, { start: from, end: to - 1 })
          return Stream.fromAsyncIterable<Uint8Array, MediaStoreError>(bytes, unavailable)
        }),
        put: ({ byteMax, content, key: name }) =>
          Effect.map(
            store.put({ key: name, content: seal(content, key), byteMax: byteMax + headBytes }),
            (byteLength) => byteLength - headBytes
          )
      })
    })
  )

/**
 * Media for tests without a disk or a network: an in-memory store, and URLs with scripted content.
 */

import {
  MediaFetcher,
  MediaFetcherError,
  MediaStore,
  MediaStoreError,
  type RemoteMedia
} from "@verbatim/core/ports"
import type { MediaKey } from "@verbatim/core/transcription"
import { Clock, Context, Duration, Effect, Layer, Option, Stream } from "effect"

/** The response that the media host sends for a URL. */
export interface RemoteFile extends RemoteMedia {
  readonly bytes: Uint8Array
  /** Duration of a download. Default: zero. */
  readonly takes?: Duration.Duration
}

interface StoredFile {
  readonly bytes: Uint8Array
  readonly atMillis: number
}

export class FakeMedia extends Context.Service<
  FakeMedia,
  {
    /** Keys of all stored content. */
    readonly stored: Effect.Effect<ReadonlyArray<MediaKey>>
    /** Returns the content of a file that the store opened. */
    readonly contentOf: (path: string) => Uint8Array | undefined
    /** Publishes a file at a URL. URLs without a published file are unreachable. */
    readonly publish: (url: string, file: RemoteFile) => Effect.Effect<void>
  }
>()("@verbatim/testkit/fakes/FakeMedia") {
  static readonly layer: Layer.Layer<FakeMedia | MediaFetcher | MediaStore> = Layer.effectContext(
    Effect.sync(() => {
      const files = new Map<MediaKey, StoredFile>()
      const opened = new Map<string, Uint8Array>()
      const remote = new Map<string, RemoteFile>()
      return Context.empty().pipe(
        Context.add(MediaStore, mediaStore(files, opened)),
        Context.add(MediaFetcher, mediaFetcher(remote)),
        Context.add(FakeMedia, {
          stored: Effect.sync(() => [...files.keys()]),
          contentOf: (path) => opened.get(path),
          publish: (url, file) => Effect.sync(() => void remote.set(url, file))
        })
      )
    })
  )
}

const failure = (operation: string, tag: "Missing" | "TooLarge") =>
  new MediaStoreError({ operation, reason: { _tag: tag } })

/** Reads content to the end, or to the first byte beyond the limit. */
const collect = Effect.fnUntraced(function* <E, R>(
  content: Stream.Stream<Uint8Array, E, R>,
  byteMax: number
) {
  const chunks: Array<Uint8Array> = []
  let byteLength = 0
  yield* Stream.runForEach(content, (chunk) => {
    chunks.push(chunk)
    byteLength += chunk.byteLength
    return byteLength > byteMax ? failure("put", "TooLarge") : Effect.void
  })
  const bytes = new Uint8Array(byteLength)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
})

const mediaStore = (
  files: Map<MediaKey, StoredFile>,
  opened: Map<string, Uint8Array>
): MediaStore["Service"] => {
  let serial = 0
  let marker: string | undefined
  return {
    put: Effect.fnUntraced(function* ({ byteMax, content, key }) {
      const bytes = yield* collect(content, byteMax)
      files.set(key, { bytes, atMillis: yield* Clock.currentTimeMillis })
      return bytes.byteLength
    }),
    open: Effect.fnUntraced(function* (key) {
      const file = files.get(key)
      if (file === undefined) return yield* failure("open", "Missing")
      const extension = key.slice(key.lastIndexOf("."))
      // This path is not a real file. Until the scope closes, it stands for the current content.
      const path = `/nowhere/${serial++}/${key}`
      yield* Effect.acquireRelease(
        Effect.sync(() => opened.set(path, file.bytes)),
        () => Effect.sync(() => opened.delete(path))
      )
      return { path, extension, byteLength: file.bytes.byteLength }
    }),
    read: ({ from, key, to }) =>
      Effect.suspend(() => {
        const file = files.get(key)
        return file === undefined
          ? failure("read", "Missing")
          : Effect.succeed(Stream.make(file.bytes.slice(from, to)))
      }),
    remove: (key) => Effect.sync(() => void files.delete(key)),
    olderThan: (age) =>
      Stream.unwrap(
        Effect.map(Clock.currentTimeMillis, (now) => {
          const limit = now - Duration.toMillis(age)
          return Stream.fromIterable(
            [...files].flatMap(([key, { atMillis }]) => (atMillis < limit ? [key] : []))
          )
        })
      ),
    marker: Effect.sync(() => Option.fromUndefinedOr(marker)),
    mark: (text, options) =>
      Effect.sync(() => {
        marker = options?.isReplacing === true ? text : (marker ?? text)
        return marker
      })
  }
}

const mediaFetcher = (remote: ReadonlyMap<string, RemoteFile>): MediaFetcher["Service"] => {
  const look = (url: string) =>
    Effect.suspend(() => {
      const file = remote.get(url)
      return file === undefined
        ? new MediaFetcherError({ reason: { _tag: "Unreachable", detail: "no such file" } })
        : Effect.succeed(file)
    })
  return {
    check: look,
    fetch: (url) =>
      Effect.map(look(url), ({ bytes, takes = Duration.zero, ...head }) => ({
        ...head,
        content: Stream.fromEffect(Effect.delay(Effect.succeed(bytes), takes))
      }))
  }
}

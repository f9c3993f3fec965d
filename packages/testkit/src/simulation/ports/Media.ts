/** The simulated media store, which all processes share, and the simulated media hosts. */

import {
  type MediaFetcher,
  MediaFetcherError,
  type MediaStore,
  MediaStoreError,
  type RemoteMedia
} from "@verbatim/core/ports"
import { jobIdOf, type MediaKey } from "@verbatim/core/transcription"
import { Duration, Effect, Exit, Option, Stream } from "effect"
import type { FaultName } from "../faults/Faults.ts"
import type { Lifetime } from "../world/Lifetime.ts"
import { latency, send } from "../world/Network.ts"
import type { World } from "../world/World.ts"

/** A file and the time when it was stored. */
interface File {
  readonly bytes: Uint8Array
  readonly atMillis: number
}

/** The files, keyed by media key. */
export class Files extends Map<MediaKey, File> {
  marker: string | undefined
}

/** All content that each URL has returned so far, newest last. */
export type Hosted = Map<string, ReadonlyArray<Uint8Array>>

/** Encodes a job and its content as a local path. */
const pathOf = (key: MediaKey, bytes: Uint8Array): string =>
  `/simulated/${jobIdOf(key)}/${bytes.join("-")}`

/** Decodes the job and content from a local path. */
export const partsOf = (path: string): { readonly jobId: string; readonly bytes: Uint8Array } => {
  const [jobId = "", bytes = ""] = path.slice("/simulated/".length).split("/")
  return { jobId, bytes: Uint8Array.from(bytes.split("-"), Number) }
}

const slowMaxMillis = 9_000

const unavailable = (operation: string, cause: string) =>
  new MediaStoreError({ operation, reason: { _tag: "Unavailable", cause } })

/** Wraps calls to the media store, so that a fault can lose their responses. */
const caller =
  (world: World, { actor, crash }: Lifetime) =>
  <A>(operation: string, effect: Effect.Effect<A, MediaStoreError>) =>
    Effect.suspend(() => {
      if (actor.status === "Dead") return Effect.never
      const { faults, network } = world
      const what = `MediaStore.${operation}`
      const strikes = (fault: FaultName) => faults.strikes(fault, actor.name, what)
      if (strikes("process crashes before a call")) {
        crash(`before ${what}`)
        return Effect.never
      }
      const isRefused = strikes("media store refuses")
      const isLost = strikes("media store loses its answer")
      const slowMillis = strikes("media store is slow") ? network.between(1, slowMaxMillis) : 0
      return send(world, actor, {
        what,
        effect: isRefused ? Effect.fail(unavailable(operation, "it is refused")) : effect,
        outwardMillis: latency(network) + slowMillis,
        homewardMillis: latency(network),
        answer: (exit) => (isLost ? Exit.fail(unavailable(operation, "it is lost")) : exit)
      })
    })

/** Reads a range of a file. Fails if the file is missing. */
const readFile = (
  file: File | undefined,
  { from, to }: { readonly from: number; readonly to: number }
) =>
  file === undefined
    ? new MediaStoreError({ operation: "read", reason: { _tag: "Missing" } })
    : Effect.succeed(Stream.make(file.bytes.slice(from, to)))

const keysBefore = (files: Files, limit: number): ReadonlyArray<MediaKey> =>
  [...files].flatMap(([key, { atMillis }]) => (atMillis < limit ? [key] : []))

/** Opens a file. Fails if a fault hides the file. */
const openFile = (file: File | undefined, key: MediaKey) =>
  file === undefined
    ? new MediaStoreError({ operation: "open", reason: { _tag: "Missing" } })
    : Effect.succeed({
        path: pathOf(key, file.bytes),
        extension: key.slice(key.lastIndexOf(".")),
        byteLength: file.bytes.byteLength
      })

/** Gives one process access to the shared media store. */
export const store = (
  world: World,
  { files, lifetime }: { readonly files: Files; readonly lifetime: Lifetime }
): MediaStore["Service"] => {
  const { faults, timeline } = world
  const { name } = lifetime.actor
  const call = caller(world, lifetime)
  return {
    put: Effect.fnUntraced(function* ({ byteMax, content, key }) {
      const chunks = yield* Stream.runCollect(content)
      const bytes = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]))
      if (bytes.byteLength > byteMax) {
        return yield* new MediaStoreError({ operation: "put", reason: { _tag: "TooLarge" } })
      }
      const write = Effect.sync(() => void files.set(key, { bytes, atMillis: timeline.now() }))
      yield* call("put", write)
      return bytes.byteLength
    }),
    open: (key) =>
      call(
        "open",
        Effect.suspend(() => {
          const isHidden = faults.strikes("media is not to be found", name, key)
          return openFile(isHidden ? undefined : files.get(key), key)
        })
      ),
    read: ({ from, key, to }) =>
      call(
        "read",
        Effect.suspend(() => readFile(files.get(key), { from, to }))
      ),
    remove: (key) =>
      call(
        "remove",
        Effect.sync(() => {
          const isGone = files.delete(key)
          const id = jobIdOf(key)
          if (isGone) world.facts.push({ _tag: "FileGone", id, by: name, at: timeline.now() })
        })
      ),
    olderThan: (age) => {
      const found = Effect.sync(() => keysBefore(files, timeline.now() - Duration.toMillis(age)))
      return Stream.fromIterableEffect(call("olderThan", found))
    },
    marker: call(
      "marker",
      Effect.sync(() => Option.fromUndefinedOr(files.marker))
    ),
    mark: (text, options) =>
      call(
        "mark",
        Effect.sync(() => {
          files.marker = options?.isReplacing === true ? text : (files.marker ?? text)
          return files.marker
        })
      )
  }
}

const headers: RemoteMedia = {
  hops: [],
  filename: Option.none(),
  contentType: Option.some("audio/wav"),
  byteLength: Option.none()
}

const unreachable = (detail: string) =>
  new MediaFetcherError({ reason: { _tag: "Unreachable", detail } })

/** Number of chunks per download. */
const pieceCount = 3

const dripMaxMillis = 20_000

/** Gives one process access to the media hosts. */
export const hosts = (
  world: World,
  { hosted, lifetime }: { readonly hosted: Hosted; readonly lifetime: Lifetime }
): MediaFetcher["Service"] => {
  const { network } = world
  const strikes = (fault: FaultName, url: string) =>
    world.faults.strikes(fault, lifetime.actor.name, url)
  const reach = (url: string) =>
    Effect.suspend((): Effect.Effect<Uint8Array, MediaFetcherError> => {
      const versions = hosted.get(url) ?? []
      const content = strikes("media changes", url) ? versions.at(-1) : versions[0]
      if (strikes("media host is unknown", url)) {
        const reason = { _tag: "Unresolved" as const, host: "media.example", code: "ENOTFOUND" }
        return new MediaFetcherError({ reason })
      }
      return content === undefined || strikes("media host is unreachable", url)
        ? unreachable("no answer")
        : Effect.succeed(content)
    }).pipe(Effect.delay(Duration.millis(network.between(0, 800))))

  const pieces = (url: string, content: Uint8Array) => {
    const size = Math.ceil(content.byteLength / pieceCount)
    const dripMillis = strikes("media host drips", url) ? dripMaxMillis : 200
    const end = strikes("media host cuts off", url) ? 1 : pieceCount
    return Stream.fromIterable(Array.from({ length: pieceCount }, (_, index) => index)).pipe(
      Stream.mapEffect((index) => {
        const piece = content.slice(index * size, (index + 1) * size)
        return index < end
          ? Effect.delay(Effect.succeed(piece), Duration.millis(network.below(dripMillis)))
          : unreachable("the transfer was cut off")
      })
    )
  }
  return {
    check: (url) => Effect.as(reach(url), headers),
    fetch: (url) =>
      Effect.map(reach(url), (content) => ({ ...headers, content: pieces(url, content) }))
  }
}

/** What a host gives to be transcribed, as parts of a request: nothing is read before its turn. */
import { IncomingMessage } from "node:http"
import { basename } from "node:path"
import { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import type { ArrivingPart } from "@verbatim/core/transcription"
import { Schema, Stream } from "effect"
import { readMediaFile, invalidMedia as wrong } from "./MediaFile.ts"

/**
 * A path of a file, a URL (`file:` or what the worker downloads), a `Blob`, or a stream of the web
 * or of Node, or anything else that gives bytes.
 */
export type Media = string | URL | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** A fault of what the host gave. It reaches the host as it is. */
export class MediaFault extends Schema.TaggedError<MediaFault>()("MediaFault", {
  fault: Schema.Unknown
}) {
  override readonly message = "The media could not be read"
}

type Part = ArrivingPart<MediaFault>

const toFault = (fault: unknown): MediaFault => new MediaFault({ fault })

const bytesOnly = async function* (source: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    if (!(chunk instanceof Uint8Array)) throw wrong("its chunks must be Uint8Array")
    yield chunk
  }
}

const file = (filename: string, open: () => AsyncIterable<unknown>): Part => ({
  _tag: "File",
  name: "file",
  filename,
  content: Stream.suspend(() => Stream.fromAsyncIterable(bytesOnly(open()), toFault))
})

const ofPath = (path: string, filename = basename(path)): Part =>
  file(filename, () => readMediaFile(path))

const isIterable = (media: unknown): media is AsyncIterable<Uint8Array> =>
  typeof media === "object" && media !== null && Symbol.asyncIterator in media

const nameOf = (blob: Blob): string | undefined => {
  const name: unknown = Reflect.get(blob, "name")
  return typeof name === "string" && name !== "" ? name : undefined
}

const ofFileUrl = (url: URL): string => {
  try {
    return fileURLToPath(url)
  } catch {
    throw wrong("its file: URL names no file of this machine")
  }
}

const ignore = (): void => undefined

/**
 * Ends a stream that nobody will read: what is refused leaves nothing open. A request of a client
 * stays as it is, or its host could not answer it.
 */
export const discard = (media: unknown): void => {
  if (media instanceof Readable) {
    if (!(media instanceof IncomingMessage)) media.on("error", ignore).destroy()
  } else if (media instanceof ReadableStream) {
    media.cancel().catch(ignore)
  }
}

/** The part of a request. The host has to name what has no name of its own. */
export const toPart = (media: Media, filename?: string): Part => {
  // One that fails before its turn would end the process; its reader is told of it all the same.
  if (media instanceof Readable) media.on("error", ignore)
  if (filename !== undefined && typeof filename !== "string") throw wrong("its filename is no text")
  if (typeof media === "string") {
    if (/^https?:/i.test(media)) throw wrong("a URL is given as an object: new URL(…)")
    return ofPath(media, filename)
  }
  if (media instanceof URL) {
    return media.protocol === "file:"
      ? ofPath(ofFileUrl(media), filename)
      : { _tag: "Parameter", name: "url", value: media.href }
  }
  const name = filename ?? (media instanceof Blob ? nameOf(media) : undefined)
  if (media instanceof Blob || isIterable(media)) {
    if (name === undefined) throw wrong(`it needs a "filename" with an extension`)
    return file(name, () => (media instanceof Blob ? streamOf(media) : media))
  }
  throw wrong("it must be a path, a URL, a Blob or a stream of bytes")
}

/** In Node a stream of the web can be iterated; its type does not say so everywhere. */
const streamOf = (blob: Blob): AsyncIterable<Uint8Array> =>
  blob.stream() as unknown as AsyncIterable<Uint8Array>

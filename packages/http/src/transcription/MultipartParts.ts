/**
 * Streams the parts of a multipart request as they arrive. A file is read while it is being sent,
 * so that this process never holds the whole of it, in memory or on disk.
 */
import { type ArrivingPart, FileTooLarge } from "@verbatim/core/transcription"
import { Effect, Pull, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { MalformedBody } from "./MalformedBody.ts"
import { type MultipartEvent, makeReader } from "./MultipartEvents.ts"

/** Why the parts of a body end early. */
export type PartsError = MalformedBody | FileTooLarge

/** For all fields, headers and boundaries around a file together. */
const overheadMax = 4 * 1_048_576

/** Takes the next event; a body that is broken or too large is a failure. */
type Next = Effect.Effect<MultipartEvent, PartsError>

/** Streams the parts of a body whose file has at most `maxMegabytes`; the service counts bytes. */
export const streamParts = (
  request: HttpServerRequest.HttpServerRequest,
  maxMegabytes: number
): Stream.Stream<ArrivingPart<PartsError>, PartsError> =>
  Stream.unwrap(
    Effect.map(makeNext(request, maxMegabytes), (next) =>
      Stream.unfold(undefined, () =>
        Effect.map(readPart(next), (part) => (part === undefined ? undefined : [part, undefined]))
      )
    )
  )

const makeNext = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  maxMegabytes: number
) {
  const reader = makeReader(request.headers, maxMegabytes * 1_048_576 + overheadMax)
  const pull = yield* Stream.toPull(request.stream)
  let pending: ReadonlyArray<MultipartEvent> = []
  let at = 0

  const readMore = pull.pipe(
    Effect.map((pieces) => pieces.flatMap(reader.write)),
    Pull.catchDone(() => Effect.sync(reader.end)),
    Effect.mapError(() => new MalformedBody())
  )

  return Effect.gen(function* () {
    // Each turn reads more of the body. Its end is an event too, so the loop ends.
    while (at === pending.length) {
      pending = yield* readMore
      at = 0
    }
    const event = pending[at] ?? broken
    at += 1
    if (event._tag === "Broken") return yield* new MalformedBody()
    if (event._tag === "TooLarge") return yield* new FileTooLarge({ maxMegabytes })
    return event
  })
})

const broken: MultipartEvent = { _tag: "Broken" }

const readPart = Effect.fnUntraced(function* (next: Next) {
  let event = yield* next
  // The rest of a file that was not read to its end is skipped.
  while (event._tag === "FileBytes" || event._tag === "FileEnded") event = yield* next
  return toPart(event, next)
})

const toPart = (event: MultipartEvent, next: Next): ArrivingPart<PartsError> | undefined => {
  switch (event._tag) {
    case "Field":
      return { _tag: "Parameter", name: event.name, value: event.value }
    case "FileBegan":
      return { ...event, _tag: "File", content: streamContent(next) }
    default:
      return undefined
  }
}

const streamContent = (next: Next): Stream.Stream<Uint8Array, PartsError> =>
  Stream.unfold(undefined, () =>
    Effect.map(next, (event) =>
      event._tag === "FileBytes" ? ([event.bytes, undefined] as const) : undefined
    )
  )

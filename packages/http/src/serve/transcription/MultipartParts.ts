/**
 * Streams the parts of a multipart request as they arrive. A file is read while it is being sent,
 * so that this process never holds the whole of it, in memory or on disk. The request is not at
 * work while it arrives.
 */
import { Idle } from "@verbatim/core/services"
import {
  type ArrivingPart,
  bodyBytesMax,
  FileTooLarge,
  type MediaLimits
} from "@verbatim/core/transcription"
import { Effect, Pull, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { MalformedBody } from "./MalformedBody.ts"
import { type MultipartEvent, makeReader } from "./MultipartEvents.ts"

/** Why the parts of a body end early. */
export type PartsError = MalformedBody | FileTooLarge

/** Takes the next event; a body that is broken or too large is a failure. */
type Next = Effect.Effect<MultipartEvent, PartsError>

/**
 * Streams the parts of a body. One that cannot fit is refused by its length, before it is read; the
 * service counts the bytes of the file.
 */
export const streamParts = (
  request: HttpServerRequest.HttpServerRequest,
  limits: MediaLimits
): Stream.Stream<ArrivingPart<PartsError>, PartsError> =>
  Number(request.headers["content-length"] ?? 0) > bodyBytesMax(limits)
    ? Stream.fail(tooLarge(limits))
    : Stream.unwrap(
        Effect.gen(function* () {
          const { begin, end } = yield* Idle
          yield* begin
          const next = yield* makeNext(request, limits)
          return Stream.unfold(undefined, () =>
            Effect.flatMap(readPart(next), (part) =>
              part === undefined
                ? Effect.as(end, undefined)
                : Effect.succeed([part, undefined] as const)
            )
          )
        })
      )

const tooLarge = ({ fileMegabytesMax }: MediaLimits) =>
  new FileTooLarge({ maxMegabytes: fileMegabytesMax })

const makeNext = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  limits: MediaLimits
) {
  const reader = makeReader(request.headers["content-type"] ?? "")
  const byteMax = bodyBytesMax(limits)
  const pull = yield* Stream.toPull(request.stream)
  let pending: ReadonlyArray<MultipartEvent> = []
  let at = 0
  let byteLength = 0
  let isComplete = false

  const readMore = pull.pipe(
    Effect.map((pieces) =>
      pieces.flatMap((bytes) => {
        byteLength += bytes.length
        return byteLength > byteMax ? [] : reader.write(bytes)
      })
    ),
    Pull.catchDone(() =>
      Effect.sync(() => {
        isComplete = true
        return reader.end()
      })
    ),
    Effect.mapError(() => new MalformedBody()),
    Effect.filterOrFail(
      () => byteLength <= byteMax,
      () => tooLarge(limits)
    )
  )

  return Effect.gen(function* () {
    // Each turn reads more of the body. Its end is an event too, so the loop ends.
    while (at === pending.length) {
      pending = yield* readMore
      at = 0
      // Pieces of a few bytes gather in the meantime: each read costs as much as thousands of them.
      if (pending.length === 0) yield* Effect.yieldNow
    }
    const event = pending[at] ?? broken
    at += 1
    if (event._tag === "Broken") return yield* new MalformedBody()
    // What follows the last part counts as well, and a request that was cut off is not whole.
    while (event._tag === "Ended" && !isComplete) yield* readMore
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

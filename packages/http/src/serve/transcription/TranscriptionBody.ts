/**
 * Converts a transcription request in any encoding to an input for the service. The service checks
 * the key and the balance first, so the body is read only when the service requests its parts.
 */

import { Idle } from "@verbatim/core/services"
import {
  bodyBytesMax,
  FileTooLarge,
  type IncomingPart,
  type IncomingRequest,
  type MediaLimits
} from "@verbatim/core/transcription"
import { Effect, Option, Pull, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as Body from "../body/Body.ts"
import { type MultipartEvent, makeReader } from "./MultipartEvents.ts"

/** The error for a body that does not match its content type, is too long, or ended early. */
export class MalformedBody extends Schema.TaggedError<MalformedBody>()("MalformedBody", {}) {
  override get message(): string {
    return "Invalid request body"
  }
}

type Parameter = Extract<IncomingPart<never>, { readonly _tag: "Parameter" }>

/**
 * A body without a file has at most 1 MiB, because it contains only a few strings of a few thousand
 * characters.
 */
const byteMax = 1_048_576

/**
 * Maximum number of name-value pairs in a form, far more than the service accepts. Without this
 * limit, a body could contain 500,000 pairs; reading half of them took 0.3 s.
 */
const pairMax = 1024

/** Converts a request to an input for the service. */
export const toArrival = (
  request: HttpServerRequest.HttpServerRequest,
  limits: MediaLimits
): IncomingRequest<PartsError> => ({
  ...readBody(request, limits),
  idempotencyKey: request.headers["idempotency-key"]
})

/**
 * Reads the body according to its content type. If the type is unknown, the request has no
 * parameters.
 */
const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  limits: MediaLimits
): IncomingRequest<PartsError> => {
  switch (Body.parseEssence(request.headers)) {
    case "multipart/form-data":
      return {
        isTextual: true,
        parts: Body.isPlain(request.headers)
          ? streamParts(request, limits)
          : Stream.fail(new MalformedBody())
      }
    case "application/json":
      return { isTextual: false, parts: streamParameters(readJson(request)) }
    case "application/x-www-form-urlencoded":
      return { isTextual: true, parts: streamParameters(readForm(request)) }
    default:
      return { isTextual: true, parts: Stream.empty }
  }
}

type Pairs = ReadonlyArray<readonly [name: string, value: unknown]>

const streamParameters = (
  pairs: Effect.Effect<Pairs, MalformedBody>
): Stream.Stream<Parameter, MalformedBody> =>
  Stream.fromIterableEffect(pairs).pipe(
    Stream.map(([name, value]) => ({ _tag: "Parameter", name, value }))
  )

/** Reads the parameters of a JSON body. */
export const readJson = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const body = yield* Body.readJson(request, byteMax).pipe(
    Effect.mapError(() => new MalformedBody())
  )
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return yield* new MalformedBody()
  }
  return Object.entries(body)
})

const readForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const text = yield* Body.readText(request, byteMax).pipe(
    Effect.mapError(() => new MalformedBody())
  )
  const written = text.split("&").filter((pair) => pair !== "")
  if (written.length > pairMax) return yield* new MalformedBody()
  const pairs = Option.all(written.map(decodePair))
  return yield* Option.match(pairs, { onNone: () => new MalformedBody(), onSome: Effect.succeed })
})

/**
 * Decodes strictly, because `URLSearchParams` would replace invalid UTF-8 instead of refusing it.
 */
const decodePair = (pair: string): Option.Option<readonly [name: string, value: string]> => {
  const [name = "", ...value] = pair.split("=")
  return Option.all([unescape(name), unescape(value.join("="))])
}

const decodeEscapes = Option.liftThrowable(decodeURIComponent)

const unescape = (text: string): Option.Option<string> => decodeEscapes(text.replaceAll("+", " "))

/** Errors that end the stream of a body's parts early. */
export type PartsError = MalformedBody | FileTooLarge

/** Reads the next event. Fails if the body is malformed or too large. */
type Next = Effect.Effect<MultipartEvent, PartsError>

/**
 * Streams the parts of a body. If the declared length is too large, the body is refused unread. The
 * service counts the bytes of the file.
 */
const streamParts = (
  request: HttpServerRequest.HttpServerRequest,
  limits: MediaLimits
): Stream.Stream<IncomingPart<PartsError>, PartsError> =>
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

const tooLarge = ({ maxFileMegabytes }: MediaLimits) =>
  new FileTooLarge({ maxMegabytes: maxFileMegabytes })

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
    // Every iteration reads more of the body, and the end of the body is an event too, so the loop
    // ends.
    while (at === pending.length) {
      pending = yield* readMore
      at = 0
      // Yields so that small pieces accumulate, because one read costs as much as handling
      // thousands of pieces.
      if (pending.length === 0) yield* Effect.yieldNow
    }
    const event = pending[at] ?? broken
    at += 1
    if (event._tag === "Broken") return yield* new MalformedBody()
    // The bytes after the last part are read too, because a truncated request must be refused.
    while (event._tag === "Ended" && !isComplete) yield* readMore
    return event
  })
})

const broken: MultipartEvent = { _tag: "Broken" }

const readPart = Effect.fnUntraced(function* (next: Next) {
  let event = yield* next
  // The rest of a file is skipped if the service did not read it all.
  while (event._tag === "FileBytes" || event._tag === "FileEnded") event = yield* next
  return toPart(event, next)
})

const toPart = (event: MultipartEvent, next: Next): IncomingPart<PartsError> | undefined => {
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

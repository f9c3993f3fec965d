/**
 * Turns a request to transcribe into what the service takes, whatever its encoding. The body is not
 * read before the service asks for its parts: it checks key and balance first.
 */
import type { Arrival, ArrivingPart, MediaLimits } from "@verbatim/core/transcription"
import { Effect, Option, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as Body from "../body/Body.ts"
import { MalformedBody } from "./MalformedBody.ts"
import { type PartsError, streamParts } from "./MultipartParts.ts"

type Parameter = Extract<ArrivingPart<never>, { readonly _tag: "Parameter" }>

/** 1 MiB: a request without a file has a few texts of some thousand characters. */
const byteMax = 1_048_576

/** Far beyond what the service counts. A body can hold 500,000 pairs; half of them took 0.3 s. */
const pairMax = 1024

/** Turns a request into an arrival. */
export const toArrival = (
  request: HttpServerRequest.HttpServerRequest,
  limits: MediaLimits
): Arrival<PartsError> => ({
  ...readBody(request, limits),
  idempotencyKey: request.headers["idempotency-key"]
})

/** Reads the body by its content type. Without a known one, the request has no parameters. */
const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  limits: MediaLimits
): Arrival<PartsError> => {
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

const readJson = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
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

/** Decodes strictly, unlike `URLSearchParams`: what is not UTF-8 is refused, not replaced. */
const decodePair = (pair: string): Option.Option<readonly [name: string, value: string]> => {
  const [name = "", ...value] = pair.split("=")
  return Option.all([unescape(name), unescape(value.join("="))])
}

const decodeEscapes = Option.liftThrowable(decodeURIComponent)

const unescape = (text: string): Option.Option<string> => decodeEscapes(text.replaceAll("+", " "))

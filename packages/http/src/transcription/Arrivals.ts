/**
 * Turns a request to transcribe into what the service takes, whatever its encoding. Nothing is read
 * before the service asks for the parts: key and balance come first.
 */
import type { Arrival, ArrivingPart } from "@verbatim/core/domain/transcription/Arrival"
import type { MediaLimits } from "@verbatim/core/domain/transcription/MediaLimits"
import { Effect, Option, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as BodyText from "../BodyText.ts"
import { essenceOf } from "../ContentType.ts"
import * as JsonBody from "../JsonBody.ts"
import { MalformedBody } from "./MalformedBody.ts"
import { type PartsError, parts } from "./MultipartParts.ts"

type Parameter = Extract<ArrivingPart<never>, { readonly _tag: "Parameter" }>

/** 1 MiB: without a file, a request holds a few texts of some thousand characters. */
const byteMax = 1_048_576

/** Far beyond what the service counts. A body can hold 500,000; half of that took 0.3 s. */
const pairMax = 1024

/** The request as an arrival. */
export const arrivalOf = (
  request: HttpServerRequest.HttpServerRequest,
  limits: MediaLimits
): Arrival<PartsError> => ({
  ...bodyOf(request, limits),
  idempotencyKey: request.headers["idempotency-key"]
})

/** Another content type, or none, is a request without parameters. */
const bodyOf = (
  request: HttpServerRequest.HttpServerRequest,
  limits: MediaLimits
): Arrival<PartsError> => {
  switch (essenceOf(request.headers["content-type"])) {
    case "multipart/form-data":
      return {
        isTextual: true,
        parts: BodyText.isPlain(request.headers)
          ? parts(request, limits.fileMegabytesMax)
          : Stream.fail(new MalformedBody())
      }
    case "application/json":
      return { isTextual: false, parts: parametersOf(inJson(request)) }
    case "application/x-www-form-urlencoded":
      return { isTextual: true, parts: parametersOf(inForm(request)) }
    default:
      return { isTextual: true, parts: Stream.empty }
  }
}

type Pairs = ReadonlyArray<readonly [name: string, value: unknown]>

const parametersOf = (
  pairs: Effect.Effect<Pairs, MalformedBody>
): Stream.Stream<Parameter, MalformedBody> =>
  Stream.fromIterableEffect(pairs).pipe(
    Stream.map(([name, value]) => ({ _tag: "Parameter", name, value }))
  )

const inJson = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const body = yield* JsonBody.read(request, byteMax).pipe(
    Effect.mapError(() => new MalformedBody())
  )
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return yield* new MalformedBody()
  }
  return Object.entries(body)
})

const inForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const text = yield* BodyText.read(request, byteMax).pipe(
    Effect.mapError(() => new MalformedBody())
  )
  const written = text.split("&").filter((pair) => pair !== "")
  if (written.length > pairMax) return yield* new MalformedBody()
  const pairs = Option.all(written.map(pairOf))
  return yield* Option.match(pairs, { onNone: () => new MalformedBody(), onSome: Effect.succeed })
})

/** Strict, unlike `URLSearchParams`: what is not UTF-8 is refused, not replaced. */
const pairOf = (pair: string): Option.Option<readonly [name: string, value: string]> => {
  const [name = "", ...value] = pair.split("=")
  return Option.all([unescaped(name), unescaped(value.join("="))])
}

const decodeEscapes = Option.liftThrowable(decodeURIComponent)

const unescaped = (text: string): Option.Option<string> => decodeEscapes(text.replaceAll("+", " "))

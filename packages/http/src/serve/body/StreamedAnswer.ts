/**
 * Sends responses as streams: long texts that are generated while they are sent, and refusals of
 * requests with a body that is still arriving.
 */
import type { ChunkedText } from "@verbatim/core/services"
import { bodyBytesMax, MediaLimits } from "@verbatim/core/transcription"
import { Context, Duration, Effect, Stream } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { toSentWhole } from "../auth/KeyShare.ts"
import type { FailureLog } from "../edge/FailureLog.ts"

/** The size of an hour of speech as text. A longer text takes one of the workspace's two slots. */
const longBytes = 1_048_576

/**
 * Responds with a rendering. A long rendering holds one of the workspace's slots until it is sent,
 * and does not count towards the key's share, because a slow reader would then block the key's
 * other requests.
 */
export const toRendered = (
  ...rendering: Parameters<typeof HttpServerResponse.text>
): HttpServerResponse.HttpServerResponse =>
  toSentWhole(HttpServerResponse.text(...rendering), longBytes)

/**
 * Logs a failure of a streamed response. The connection breaks, because the caller has already
 * received the status, and must not mistake part of the response for all of it.
 */
export const logBreak = <A, E, R>(
  { report }: FailureLog["Service"],
  { stream, what }: { readonly stream: Stream.Stream<A, E, R>; readonly what: string }
) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    Stream.tapCause(stream, (cause) =>
      Effect.provideService(report({ what, cause }), HttpServerRequest.HttpServerRequest, request)
    )
  )

export const toResponse = (log: FailureLog["Service"]) =>
  Effect.fnUntraced(function* <E>(written: ChunkedText<E>) {
    const { contentType } = written
    if (written._tag === "Whole") return HttpServerResponse.text(written.text, { contentType })
    const what = "Streaming an answer failed"
    const pieces = yield* logBreak(log, { stream: written.pieces, what })
    return HttpServerResponse.stream(Stream.encodeText(pieces), { contentType })
  })

/**
 * Limits on the rest of a refused body that the server reads and discards before it closes the
 * connection.
 */
export interface UnreadLimits {
  /** Maximum number of bytes to discard; by default, a quarter more than the largest upload. */
  readonly maxBytes?: number
  readonly maxTime: Duration.Duration
}

/**
 * The server discards at least 256 MiB, so that a client still gets the refusal if its file is far
 * above a small limit.
 */
const byteMin = 268_435_456

/**
 * Returns the default limit on bytes to discard: a quarter more than the largest upload, so that
 * uploads slightly above the limit are read to the end.
 */
const discardMax = (limits: MediaLimits): number =>
  Math.max(byteMin, Math.ceil(1.25 * bodyBytesMax(limits)))

export const UnreadLimits: Context.Reference<UnreadLimits> = Context.Reference(
  "@verbatim/http/UnreadLimits",
  {
    defaultValue: (): UnreadLimits => ({
      // The server discards a body for at most 30 s, like nginx.
      maxTime: Duration.seconds(30)
    })
  }
)

/**
 * Reads and discards the rest of a body. Errors, such as a body that was already read, are ignored.
 */
const discard = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const { maxBytes = discardMax(yield* MediaLimits), maxTime } = yield* UnreadLimits
  let byteLength = 0
  yield* request.stream.pipe(
    Stream.takeWhile((bytes) => {
      byteLength += bytes.length
      return byteLength <= maxBytes
    }),
    Stream.runDrain,
    Effect.timeoutOption(maxTime),
    // A `Request` throws an error if its stream is requested after its body was read.
    Effect.ignoreCause
  )
})

/**
 * Whether a client still sends its body after it receives a refusal. A client with `Expect:
 * 100-continue` has not sent its body yet, and must not be asked to send it.
 */
const sendsBody = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers.expect === undefined &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)

/** Makes the server read and discard the rest of the body after it has sent the refusal. */
export const drainAfter = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (body._tag !== "Uint8Array" || !sendsBody(request)) return response
  const rest = Stream.fromEffectDrain(discard(request))
  return HttpServerResponse.setBody(
    response,
    HttpBody.stream(
      Stream.concat(Stream.make(body.body), rest),
      body.contentType,
      body.contentLength
    )
  )
}

/**
 * Answers that are sent in another way than whole: texts while they are being made, and refusals
 * whose request still sends its body.
 */
import type { ChunkedText } from "@verbatim/core/services"
import { bodyBytesMax, MediaLimits } from "@verbatim/core/transcription"
import { Context, Duration, Effect, Stream } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { toSentWhole } from "../auth/KeyShare.ts"
import type { FailureLog } from "../edge/FailureLog.ts"

/** What an hour of speech is as text. Longer ones have one of the two slots of their workspace. */
const longBytes = 1_048_576

/**
 * Answers with a rendering. A long one has a slot until it is sent, so it is not counted for its
 * key as well: a slow reader would stop all other calls of the key.
 */
export const toRendered = (
  ...rendering: Parameters<typeof HttpServerResponse.text>
): HttpServerResponse.HttpServerResponse =>
  toSentWhole(HttpServerResponse.text(...rendering), longBytes)

/**
 * Turns a text into a response. A failure in the middle of a text breaks the connection: the caller
 * has the status already, and must not take a part for the whole.
 */
export const toResponse = ({ report }: FailureLog["Service"]) =>
  Effect.fnUntraced(function* <E>(written: ChunkedText<E>) {
    const { contentType } = written
    if (written._tag === "Whole") return HttpServerResponse.text(written.text, { contentType })
    const request = yield* HttpServerRequest.HttpServerRequest
    const pieces = Stream.tapCause(written.pieces, (cause) =>
      report({ what: "An answer broke off", cause }).pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, request)
      )
    )
    return HttpServerResponse.stream(Stream.encodeText(pieces), { contentType })
  })

/** How much of a body is read and discarded; beyond that the listener closes the connection. */
export interface UnreadLimits {
  /** Left out: what the largest upload may have, and some more. */
  readonly byteMax?: number
  readonly timeMax: Duration.Duration
}

/** 256 MiB: a client whose file is far above a small limit should hear of it, too. */
const byteMin = 268_435_456

/** A quarter more than a whole upload, for those that exceed the limit. */
const discardMax = (limits: MediaLimits): number =>
  Math.max(byteMin, Math.ceil(1.25 * bodyBytesMax(limits)))

export const UnreadLimits: Context.Reference<UnreadLimits> = Context.Reference(
  "@verbatim/http/UnreadLimits",
  {
    defaultValue: (): UnreadLimits => ({
      // As long as nginx lingers for clients that are still sending.
      timeMax: Duration.seconds(30)
    })
  }
)

/** Reads and discards the rest of a body. That it cannot be read, or was read, is ignored. */
const discard = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const { byteMax = discardMax(yield* MediaLimits), timeMax } = yield* UnreadLimits
  let byteLength = 0
  yield* request.stream.pipe(
    Stream.takeWhile((bytes) => {
      byteLength += bytes.length
      return byteLength <= byteMax
    }),
    Stream.runDrain,
    Effect.timeoutOption(timeMax),
    // A `Request` whose body was read throws when it is asked for its stream.
    Effect.ignoreCause
  )
})

/**
 * A client that asked before sending (`Expect: 100-continue`) sends nothing after a refusal, and
 * must not be asked to.
 */
const sendsBody = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers.expect === undefined &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)

/** Makes a refusal drain the rest of the request's body once it is sent. */
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

/**
 * Reads the body of a request as text, strictly: bounded while it arrives, UTF-8 and nothing else,
 * and never inflated.
 */
import { ByteSize, Effect, Option, Schema } from "effect"
import { HttpIncomingMessage, type HttpServerError, type HttpServerRequest } from "effect/http"
import { isUtf8 } from "./ContentType.ts"

/** Why a body is not read, as a rule that it breaks. */
export class BodyUnreadable extends Schema.TaggedError<BodyUnreadable>()("BodyUnreadable", {
  rule: Schema.String
}) {}

/** A byte order mark is content here, so that it can be seen. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decode = Option.liftThrowable((bytes: ArrayBuffer) => decoder.decode(bytes))

/** Whether the body is sent as it is. */
export const isPlain = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  /^(?:identity)?$/i.test(headers["content-encoding"]?.trim() ?? "")

/** The whole body, of at most `byteMax` bytes. */
export const read = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  byteMax: number
) {
  const { headers } = request
  if (!isPlain(headers)) {
    return yield* new BodyUnreadable({ rule: "must be sent without a content encoding" })
  }
  if (!isUtf8(headers["content-type"])) {
    return yield* new BodyUnreadable({ rule: "must be UTF-8" })
  }
  if (Number(headers["content-length"] ?? 0) > byteMax) return yield* tooLong(byteMax)
  const bytes = yield* request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(byteMax)),
    Effect.mapError((error) => (isTooLarge(error) ? tooLong(byteMax) : incomplete()))
  )
  const text = decode(bytes)
  if (Option.isNone(text)) return yield* new BodyUnreadable({ rule: "must be UTF-8" })
  if (text.value.startsWith("\uFEFF")) {
    return yield* new BodyUnreadable({ rule: "must not begin with a byte order mark" })
  }
  return text.value
})

const tooLong = (byteMax: number) => new BodyUnreadable({ rule: `at most ${byteMax} bytes` })

const incomplete = () => new BodyUnreadable({ rule: "must be complete" })

const isTooLarge = ({ reason }: HttpServerError.HttpServerError): boolean =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"

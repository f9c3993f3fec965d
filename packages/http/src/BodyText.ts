/**
 * Reads the body of a request as text, strictly: bounded while it arrives, in UTF-8 only, and never
 * decompressed.
 */
import { Effect, Option, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isUtf8 } from "./ContentType.ts"
import { collect, smallMax } from "./HeldBodies.ts"

/** The body cannot be read. `rule` is the rule that it breaks. */
export class BodyUnreadable extends Schema.TaggedError<BodyUnreadable>()("BodyUnreadable", {
  rule: Schema.String
}) {}

/** It keeps a byte order mark, so that the mark can be refused. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decode = Option.liftThrowable((bytes: Uint8Array) => decoder.decode(bytes))

/** Whether the body is sent without a content encoding, such as gzip. */
export const isPlain = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  /^(?:identity)?$/i.test(headers["content-encoding"]?.trim() ?? "")

/** Reads the whole body, of at most `byteMax` bytes. */
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
  const byteLength = Number(headers["content-length"] ?? byteMax)
  const makeTooLong = () => new BodyUnreadable({ rule: `at most ${byteMax} bytes` })
  if (byteLength > byteMax) return yield* makeTooLong()
  const makeIncomplete = () => new BodyUnreadable({ rule: "must be complete" })
  const bytes =
    byteLength <= smallMax
      ? // Most bodies; reading one as a stream costs several times as much.
        new Uint8Array(yield* Effect.mapError(request.arrayBuffer, makeIncomplete))
      : yield* collect(Stream.mapError(request.stream, makeIncomplete), {
          byteLength,
          byteMax,
          makeTooLong
        })
  const text = decode(bytes)
  if (Option.isNone(text)) return yield* new BodyUnreadable({ rule: "must be UTF-8" })
  if (text.value.startsWith("\uFEFF")) {
    return yield* new BodyUnreadable({ rule: "must not begin with a byte order mark" })
  }
  return text.value
})

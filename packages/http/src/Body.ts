/**
 * Reads the body of a request as text or as JSON, strictly: bounded while it arrives, in UTF-8
 * only, and never decompressed.
 */
import { ExactNumber, findBrokenLimit } from "@verbatim/core/schema"
import { Effect, Option, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { collect, smallMax } from "./HeldBodies.ts"

/** The body cannot be read. `rule` is the rule that it breaks. */
class BodyUnreadable extends Schema.TaggedError<BodyUnreadable>()("BodyUnreadable", {
  rule: Schema.String
}) {}

type Headers = Readonly<Record<string, string | undefined>>

/** Parses the media type alone, in lower case; empty when there is none. */
export const parseEssence = (headers: Headers): string =>
  (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i

/** Whether a text is in UTF-8, which is the default when no charset is given. */
const isUtf8 = (headers: Headers): boolean =>
  /^utf-?8$/i.test(charset.exec(headers["content-type"] ?? "")?.[1] ?? "utf-8")

/** Whether the body is sent without a content encoding, such as gzip. */
export const isPlain = (headers: Headers): boolean =>
  /^(?:identity)?$/i.test(headers["content-encoding"]?.trim() ?? "")

/** It keeps a byte order mark, so that the mark can be refused. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decode = Option.liftThrowable((bytes: Uint8Array) => decoder.decode(bytes))

/** Reads the whole body, of at most `byteMax` bytes. */
export const readText = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  byteMax: number
) {
  const { headers } = request
  if (!isPlain(headers)) {
    return yield* new BodyUnreadable({ rule: "must be sent without a content encoding" })
  }
  if (!isUtf8(headers)) {
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

/** Reads the value of a JSON body of at most `byteMax` bytes; its numbers keep their digits. */
export const readJson = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  byteMax: number
) {
  if (parseEssence(request.headers) !== "application/json") {
    return yield* new BodyUnreadable({ rule: "must be sent as application/json" })
  }
  const text = yield* readText(request, byteMax)
  const rule = findBrokenLimit(text)
  if (rule !== undefined) return yield* new BodyUnreadable({ rule })
  const value = ExactNumber.parse(text)
  if (Option.isNone(value)) return yield* new BodyUnreadable({ rule: "must be JSON" })
  return value.value
})

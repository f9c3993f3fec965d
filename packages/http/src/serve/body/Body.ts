/**
 * Reads the body of a request as text or as JSON, strictly: bounded while it arrives, in UTF-8
 * only, and never decompressed.
 */
import { ExactNumber, findBrokenLimit } from "@verbatim/core/schema"
import { Effect, Option, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { collect, smallMax } from "./HeldBodies.ts"
import { readWhole } from "./WholeBody.ts"

/** The body cannot be read. `rule` is the rule that it breaks. */
class BodyUnreadable extends Schema.TaggedError<BodyUnreadable>()("BodyUnreadable", {
  rule: Schema.String
}) {}

type Headers = Readonly<Record<string, string | undefined>>

const json = "application/json"

/** Parses the media type alone, in lower case; empty when there is none. */
export const parseEssence = ({ "content-type": type = "" }: Headers): string =>
  type === json ? json : (type.split(";", 1)[0]?.trim().toLowerCase() ?? "")

const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i

/** Whether a text is in UTF-8, which is the default when no charset is given. */
const isUtf8 = ({ "content-type": type = "" }: Headers): boolean =>
  type === json || /^utf-?8$/i.test(charset.exec(type)?.[1] ?? "utf-8")

/** Whether the body is sent without a content encoding, such as gzip. */
export const isPlain = (headers: Headers): boolean =>
  headers["content-encoding"] === undefined ||
  /^(?:identity)?$/i.test(headers["content-encoding"].trim())

/** It keeps a byte order mark, so that the mark can be refused. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decode = Option.liftThrowable((bytes: Uint8Array) => decoder.decode(bytes))

type Request = HttpServerRequest.HttpServerRequest

const refuse = (rule: string) => Effect.fail(new BodyUnreadable({ rule }))

/** The rule that a body breaks before any of it is read; none where it may be read. */
const findFault = (headers: Headers, byteMax: number): string | undefined => {
  if (!isPlain(headers)) return "must be sent without a content encoding"
  if (!isUtf8(headers)) return "must be UTF-8"
  return Number(headers["content-length"] ?? 0) > byteMax ? toLimitRule(byteMax) : undefined
}

const toLimitRule = (byteMax: number): string => `at most ${byteMax} bytes`

const refuseIncomplete = () => new BodyUnreadable({ rule: "must be complete" })

/** Most bodies are small; reading one as a stream costs several times as much. */
const readBytes = (
  request: Request,
  byteMax: number
): Effect.Effect<Uint8Array, BodyUnreadable> => {
  const byteLength = Number(request.headers["content-length"] ?? byteMax)
  if (byteLength <= smallMax) return Effect.mapError(readWhole(request), refuseIncomplete)
  const makeTooLong = () => new BodyUnreadable({ rule: toLimitRule(byteMax) })
  return collect(Stream.mapError(request.stream, refuseIncomplete), {
    byteLength,
    byteMax,
    makeTooLong
  })
}

const toText = (bytes: Uint8Array): Effect.Effect<string, BodyUnreadable> => {
  const text = decode(bytes)
  if (Option.isNone(text)) return refuse("must be UTF-8")
  return text.value.startsWith("\uFEFF")
    ? refuse("must not begin with a byte order mark")
    : Effect.succeed(text.value)
}

const toValue = (text: string): Effect.Effect<unknown, BodyUnreadable> => {
  const rule = findBrokenLimit(text)
  if (rule !== undefined) return refuse(rule)
  const value = ExactNumber.parse(text)
  return Option.isNone(value) ? refuse("must be JSON") : Effect.succeed(value.value)
}

/** Reads the whole body, of at most `byteMax` bytes. */
export const readText = (
  request: Request,
  byteMax: number
): Effect.Effect<string, BodyUnreadable> => {
  const rule = findFault(request.headers, byteMax)
  return rule === undefined ? Effect.flatMap(readBytes(request, byteMax), toText) : refuse(rule)
}

/** Reads the value of a JSON body of at most `byteMax` bytes; its numbers keep their digits. */
export const readJson = (
  request: Request,
  byteMax: number
): Effect.Effect<unknown, BodyUnreadable> =>
  parseEssence(request.headers) === json
    ? Effect.flatMap(readText(request, byteMax), toValue)
    : refuse("must be sent as application/json")

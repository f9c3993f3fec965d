/**
 * Responds with the recording of a job, or with a range of it (RFC 9110, 14). The bytes of the
 * recording are untrusted: the headers keep browsers from guessing a different type and from
 * running the content.
 */
import type { PlayableMedia } from "@verbatim/core/job"
import type { MediaStoreError } from "@verbatim/core/ports"
import { Effect, type Scope, type Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { logBreak } from "../body/StreamedAnswer.ts"
import type { FailureLog } from "../edge/FailureLog.ts"

/** A range of bytes. `from` is included, `to` is not. */
interface ByteRange {
  readonly from: number
  readonly to: number
}

/** The bytes to send: all, a range, or none if the requested range does not exist. */
export type RequestedRange =
  | { readonly _tag: "Whole" }
  | ({ readonly _tag: "Part" } & ByteRange)
  | { readonly _tag: "Unsatisfiable" }

const whole: RequestedRange = { _tag: "Whole" }
const unsatisfiable: RequestedRange = { _tag: "Unsatisfiable" }

/**
 * Matches a single range of bytes. A request for several ranges or in other units gets the whole
 * recording, as the standard allows.
 */
const form = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i

/**
 * Reads the `Range` and `If-Range` headers. If `If-Range` contains a weak tag, a date or the tag of
 * other content, the range is ignored and the whole recording is sent.
 */
export const readRange = (
  { ifRange, range }: { readonly range: string | undefined; readonly ifRange: string | undefined },
  { byteLength, tag }: { readonly byteLength: number; readonly tag: string }
): RequestedRange => {
  const found = form.exec((range ?? "").trim())
  if (found === null || (ifRange !== undefined && ifRange.trim() !== tag)) return whole
  const [, first, last, suffix] = found
  if (suffix !== undefined) {
    const from = Math.max(0, byteLength - Number(suffix))
    return from < byteLength ? { _tag: "Part", from, to: byteLength } : unsatisfiable
  }
  const from = Number(first)
  const to = last === undefined ? byteLength : Math.min(byteLength, Number(last) + 1)
  if (last !== undefined && Number(last) < from) return whole
  return from < byteLength ? { _tag: "Part", from, to } : unsatisfiable
}

/**
 * Builds the entity tag. A media key always names the same content, so the tag is strong. The key
 * is a path; slashes are allowed in tags.
 */
const makeTag = ({ media: { key } }: PlayableMedia): string => `"${key}"`

/**
 * Builds the `Content-Disposition` header, with an ASCII name in quotes and the full name encoded.
 */
const makeDisposition = ({ filename }: PlayableMedia): string => {
  if (filename === "") return "inline"
  const plain = filename.replace(/[^A-Za-z0-9._ -]/g, "_")
  const escaped = encodeURIComponent(filename.toWellFormed()).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `inline; filename="${plain}"; filename*=UTF-8''${escaped}`
}

const makeHeaders = (found: PlayableMedia) => ({
  etag: makeTag(found),
  "accept-ranges": "bytes",
  "cache-control": "private, no-cache",
  "content-disposition": makeDisposition(found),
  "content-security-policy": "default-src 'none'; media-src 'self'; sandbox",
  "x-content-type-options": "nosniff"
})

type Read<E> = (
  range: ByteRange
) => Effect.Effect<Stream.Stream<Uint8Array, MediaStoreError>, E, Scope.Scope>

/** Whether the caller already has this content. Weak tags match too. */
const isKnown = (header: string | undefined, tag: string): boolean =>
  header?.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag) ===
  true

/** Responds with the recording. A failure midway breaks the connection. */
export const answerMedia = (log: FailureLog["Service"]) =>
  Effect.fnUntraced(function* <E>(found: PlayableMedia, read: Read<E>) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { byteLength } = found.media
    const headers = makeHeaders(found)
    const tag = headers.etag
    const { "if-none-match": known, "if-range": ifRange, range } = request.headers
    if (isKnown(known, tag)) return HttpServerResponse.empty({ status: 304, headers })
    const requested = readRange({ range, ifRange }, { byteLength, tag })
    if (requested._tag === "Unsatisfiable") {
      const more = { "content-range": `bytes */${byteLength}` }
      return HttpServerResponse.empty({ status: 416, headers: { ...headers, ...more } })
    }
    const { from, to } = requested._tag === "Part" ? requested : { from: 0, to: byteLength }
    // A HEAD request reads no bytes, but checks whether the recording exists.
    const isHead = request.method === "HEAD"
    const bytes = yield* read(isHead ? { from, to: from } : { from, to })
    const content = yield* logBreak(log, { stream: bytes, what: "Streaming a recording failed" })
    const part = { "content-range": `bytes ${from}-${to - 1}/${byteLength}` }
    return HttpServerResponse.stream(content, {
      status: requested._tag === "Part" ? 206 : 200,
      contentType: found.contentType,
      contentLength: to - from,
      headers: requested._tag === "Part" ? { ...headers, ...part } : headers
    })
  })

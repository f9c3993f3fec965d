/**
 * Reads information about a media file from response headers. Headers are untrusted hints, so they
 * are parsed leniently and cleaned. Pure.
 */
import type { RemoteMedia } from "@verbatim/core/ports"
import { Option, Result } from "effect"
import type { Answer } from "./GuardedClient.ts"

/** Maximum length of a file name in common file systems. */
const filenameLengthMax = 255

/** Maximum number of digits: longer numbers are not exact, and no file is that long. */
const length = /^\d{1,15}$/

/** A header parameter: a token, and a token or a quoted string. */
const parameter = /;\s*([\w*!#$&+^`|~.-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

/** RFC 8187: a charset, an unused language, and percent-encoded text. */
const extendedFilename = /^utf-8'[^']*'(.*)$/i

/**
 * Encodings that change the bytes. Verbatim never requests them, so an encoded body is not the
 * file.
 */
const compressedEncoding = /^(?:x-)?(?:gzip|deflate|br|zstd|compress)\b/i

const header = (answer: Pick<Answer, "headers">, name: string): Option.Option<string> => {
  const value = answer.headers[name]
  return typeof value === "string" ? Option.some(value) : Option.none()
}

/** Decodes a header value. Header values are bytes, and most servers mean UTF-8. */
const decodeUtf8 = (latin1: string): string => {
  const bytes = Uint8Array.from(latin1, (letter) => letter.charCodeAt(0))
  const decode = () => new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  return Result.getOrElse(Result.try(decode), () => latin1)
}

const cleanName = (name: string): Option.Option<string> => {
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1)
  const printable = last.replace(/[\p{Cc}\p{Cs}]/gu, "").trim()
  // A long name is cut at the beginning, because the extension is at the end.
  const filename = printable.slice(-filenameLengthMax).toWellFormed()
  return filename === "" ? Option.none() : Option.some(filename)
}

const filenameFrom = (disposition: string): Option.Option<string> => {
  const parameters = new Map(
    Array.from(disposition.matchAll(parameter), ([, name = "", quoted, token = ""]) => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/g, "$1") ?? token.trim()
    ])
  )
  return Option.fromUndefinedOr(parameters.get("filename*")).pipe(
    Option.flatMap((value) => Option.fromNullishOr(extendedFilename.exec(value)?.[1])),
    Option.flatMap((value) => Result.getSuccess(Result.try(() => decodeURIComponent(value)))),
    Option.orElse(() => Option.map(Option.fromUndefinedOr(parameters.get("filename")), decodeUtf8)),
    Option.flatMap(cleanName)
  )
}

/** Whether the body is compressed in transit, and therefore not the file itself. */
export const isCompressed = (answer: Pick<Answer, "headers">): boolean =>
  Option.exists(header(answer, "content-encoding"), (value) =>
    compressedEncoding.test(value.trim())
  )

/** Whether the response declares an empty body. */
export const isEmpty = (answer: Pick<Answer, "headers">): boolean =>
  Option.exists(header(answer, "content-length"), (value) => /^0+$/.test(value))

/** Returns the media that the headers describe. */
export const mediaFrom = (
  answer: Pick<Answer, "headers"> & Pick<RemoteMedia, "hops">
): RemoteMedia => ({
  hops: answer.hops,
  filename: Option.flatMap(header(answer, "content-disposition"), filenameFrom),
  contentType: header(answer, "content-type").pipe(
    Option.map((value) => (value.split(";", 1)[0] ?? "").trim().toLowerCase()),
    Option.filter((value) => value !== "")
  ),
  byteLength: header(answer, "content-length").pipe(
    Option.filter((value) => length.test(value)),
    Option.map(Number)
  )
})

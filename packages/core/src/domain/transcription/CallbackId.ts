/**
 * Encodes the caller's identifier for the `X-Callback-ID` header. ASCII text is sent unchanged.
 * Other text is sent as the base64 of its UTF-8 bytes, because HTTP headers are ASCII.
 */
import { Result } from "effect"
import * as Base64 from "effect/encoding/Base64"

/** The prefix of the header value if the identifier is not ASCII. */
const prefix = "utf8-b64:"

/**
 * Maximum length of an identifier, in UTF-8 bytes. As base64, this is less than 1.4 KiB, well below
 * the header size that servers accept.
 */
export const callbackIdBytesMax = 1024

const encoder = new TextEncoder()

// `ignoreBOM` keeps a leading U+FEFF, which the decoder would otherwise remove.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/**
 * Whether an identifier can reach a receiver unchanged. It must be short enough, without control
 * characters, without spaces at either end (HTTP removes them) and without lone surrogates (UTF-8
 * cannot encode them).
 */
export const isSendable = (id: string): boolean =>
  // A UTF-16 unit takes at least one byte, so this check refuses huge text before it is encoded.
  id.length <= callbackIdBytesMax &&
  encoder.encode(id).byteLength <= callbackIdBytesMax &&
  !/\p{Cc}/u.test(id) &&
  !id.startsWith(" ") &&
  !id.endsWith(" ") &&
  id.isWellFormed()

/** Encodes a sendable identifier as a header value. */
export const encode = (id: string): string =>
  /^[\x00-\x7f]*$/.test(id) ? id : `${prefix}${Base64.encode(id)}`

/**
 * Decodes the identifier in the header. A value that `encode` cannot have produced is returned
 * unchanged, even if it begins with the prefix.
 */
export const decode = (header: string): string => {
  if (!header.startsWith(prefix)) return header
  const bytes = Base64.decode(header.slice(prefix.length))
  if (Result.isFailure(bytes)) return header
  const id = decoder.decode(bytes.success)
  return encode(id) === header ? id : header
}

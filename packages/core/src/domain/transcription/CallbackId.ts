/**
 * The caller's identifier in the `X-Callback-ID` header. ASCII is sent unchanged, anything else as
 * the base64 of its UTF-8 bytes, which a header can carry everywhere.
 */
import { Result } from "effect"
import * as Base64 from "effect/encoding/Base64"

/** Prefix of the header value of a non-ASCII identifier. */
const prefix = "utf8-b64:"

/**
 * Maximum length in UTF-8 bytes. In base64 that is under 1.4 KiB, well below servers' limits on one
 * header.
 */
export const callbackIdBytesMax = 1024

const encoder = new TextEncoder()

// Without `ignoreBOM`, a leading U+FEFF would be lost.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/**
 * Whether a receiver gets exactly this identifier. It must be short enough, and have no control
 * characters, no space at either end (HTTP removes those), and no lone surrogates, which UTF-8
 * cannot express.
 */
export const isSendable = (id: string): boolean =>
  // A UTF-16 unit takes at least one byte, so this check refuses a huge text before it is encoded.
  id.length <= callbackIdBytesMax &&
  encoder.encode(id).byteLength <= callbackIdBytesMax &&
  !/\p{Cc}/u.test(id) &&
  !id.startsWith(" ") &&
  !id.endsWith(" ") &&
  id.isWellFormed()

/** Returns the header value of a sendable identifier. */
export const encode = (id: string): string =>
  /^[\x00-\x7f]*$/.test(id) ? id : `${prefix}${Base64.encode(id)}`

/**
 * Reads the identifier from the header. A value is decoded only if `encode` could have made it: any
 * other value that begins with the prefix was sent unchanged.
 */
export const decode = (header: string): string => {
  if (!header.startsWith(prefix)) return header
  const bytes = Base64.decode(header.slice(prefix.length))
  if (Result.isFailure(bytes)) return header
  const id = decoder.decode(bytes.success)
  return encode(id) === header ? id : header
}

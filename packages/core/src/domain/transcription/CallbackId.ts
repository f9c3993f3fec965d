/**
 * The caller's identifier, as it travels in the `X-Callback-ID` header. ASCII goes unchanged,
 * anything else as the base64 of its UTF-8 bytes, which a header can carry everywhere.
 */
import { Result } from "effect"
import * as Base64 from "effect/encoding/Base64"

/** How the header value of a non-ASCII identifier begins. */
const prefix = "utf8-b64:"

/** In UTF-8. In base64 that is under 1.4 KiB, well inside what servers take as one header. */
export const callbackIdBytesMax = 1024

const encoder = new TextEncoder()

// Without `ignoreBOM` a leading U+FEFF would be lost on the way.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/**
 * Whether a receiver gets back exactly this identifier: short enough, without a control character,
 * without a space at either end (HTTP cuts those), and without half a surrogate pair, which UTF-8
 * cannot express.
 */
export const isSendable = (id: string): boolean =>
  // A UTF-16 unit is at least one byte, so this refuses a huge text before it is encoded.
  id.length <= callbackIdBytesMax &&
  encoder.encode(id).byteLength <= callbackIdBytesMax &&
  !/\p{Cc}/u.test(id) &&
  !id.startsWith(" ") &&
  !id.endsWith(" ") &&
  id.isWellFormed()

/** The header value of a sendable identifier. */
export const encode = (id: string): string =>
  /^[\x00-\x7f]*$/.test(id) ? id : `${prefix}${Base64.encode(id)}`

/**
 * What a receiver reads from the header. A value is decoded only when `encode` could have made it:
 * other text that begins with the prefix was sent unchanged.
 */
export const decode = (header: string): string => {
  if (!header.startsWith(prefix)) return header
  const bytes = Base64.decode(header.slice(prefix.length))
  if (Result.isFailure(bytes)) return header
  const id = decoder.decode(bytes.success)
  return encode(id) === header ? id : header
}

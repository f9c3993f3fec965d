/**
 * Signs webhooks (Standard Webhooks 1.0): the signed content, and the header. During a rotation of
 * secrets there is one signature for each secret, so that a receiver can verify with either secret.
 */
import * as Base64 from "effect/encoding/Base64"

/** The content that a signature covers. */
export interface Signed {
  /** The `webhook-id`. */
  readonly id: string
  /** The `webhook-timestamp`: whole seconds since 1970. */
  readonly timestamp: string
  readonly body: string
}

const encoder = new TextEncoder()

/**
 * Returns the bytes for HMAC-SHA256. Ids are UUIDs, so they contain no dot that could shift a
 * boundary.
 */
export const contentOf = ({ body, id, timestamp }: Signed): Uint8Array =>
  encoder.encode(`${id}.${timestamp}.${body}`)

/** Returns the value of `webhook-signature`: `v1,<base64>` for each tag, separated by spaces. */
export const headerOf = (tags: ReadonlyArray<Uint8Array>): string =>
  tags.map((tag) => `v1,${Base64.encode(tag)}`).join(" ")

/**
 * The signature of a webhook (Standard Webhooks 1.0): what is signed, and how the header shows it.
 * While secrets are rotated there is one signature for each, so that a receiver may know either.
 */
import * as Base64 from "effect/encoding/Base64"

/** What a signature covers: which webhook, when it was sent, and what it says. */
export interface Signed {
  /** The `webhook-id`. */
  readonly id: string
  /** The `webhook-timestamp`: whole seconds since 1970. */
  readonly timestamp: string
  readonly body: string
}

const encoder = new TextEncoder()

/** The bytes for HMAC-SHA256. Ids are UUIDs, so that no dot in them shifts a boundary. */
export const contentOf = ({ body, id, timestamp }: Signed): Uint8Array =>
  encoder.encode(`${id}.${timestamp}.${body}`)

/** The value of `webhook-signature`: `v1,<base64>` for each tag, separated by spaces. */
export const headerOf = (tags: ReadonlyArray<Uint8Array>): string =>
  tags.map((tag) => `v1,${Base64.encode(tag)}`).join(" ")

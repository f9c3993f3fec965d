/**
 * Codes that stand for HMAC in a run: each key gives every text a code of its own, at once. The
 * tests of deliveries show real ones.
 */
import { Effect } from "effect"
import { Mac } from "effect/crypto"
import { Base64, Hex } from "effect/encoding"
import { dice } from "../clock/Seed.ts"

const decoder = new TextDecoder()

/** As long as those of HMAC-SHA256. */
const tagLength = 32

/** The code of a text under a key. */
const tagOf = (key: Uint8Array, text: string): Uint8Array =>
  dice(text.length, `${Hex.encode(key)} ${text}`).bytes(tagLength)

/** What signs webhooks in a run. It makes no keys: nobody needs any. */
export const mac: Mac.Mac["Service"] = {
  generateKey: () => Effect.die("a simulated process makes no keys"),
  sign: (key, bytes) =>
    Effect.map(Mac.toBytes(key), (secret) => tagOf(secret, decoder.decode(bytes))),
  verify: () => Effect.die("a simulated process verifies nothing")
}

const prefix = "whsec_"

/** A secret as its owner writes it down. */
export const toSecret = (bytes: Uint8Array): string => prefix + Base64.encode(bytes)

/** What a receiver that has the secret expects in `webhook-signature`. */
export const expected = (
  secret: string,
  { body, timestamp, webhookId }: Readonly<Record<"body" | "timestamp" | "webhookId", string>>
): string => {
  const key = Uint8Array.from(atob(secret.slice(prefix.length)), (each) => each.charCodeAt(0))
  return `v1,${Base64.encode(tagOf(key, `${webhookId}.${timestamp}.${body}`.toWellFormed()))}`
}

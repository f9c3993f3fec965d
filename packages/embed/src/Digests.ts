/**
 * Digests in one call of Node's: an object that takes data piece by piece costs twice as much, and
 * each request has the digest of its key.
 */
import { hash } from "node:crypto"
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"

/** As Node calls them. */
const names: Readonly<Record<Digest.Algorithm["name"], string>> = {
  MD5: "md5",
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512"
}

/** Digests from Node. */
export const layer: Layer.Layer<Digest.Digest> = Layer.succeed(Digest.Digest, {
  // A copy: a buffer of Node's may be a part of a larger one.
  digest: (algorithm, bytes) =>
    Effect.sync(() => new Uint8Array(hash(names[algorithm.name], bytes, "buffer"))),
  digestHex: (algorithm, bytes) => Effect.sync(() => hash(names[algorithm.name], bytes, "hex"))
})

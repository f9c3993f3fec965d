/** Randomness, digests and signatures, from Node. */

import { hash, randomFillSync } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node-shared/NodeCrypto"
import { Effect, Layer } from "effect"
import { Digest, type Mac, SecureRandom } from "effect/crypto"

/** Node's names of digests. */
const names: Readonly<Record<Digest.Algorithm["name"], string>> = {
  MD5: "md5",
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512"
}

/**
 * Computes digests in a single call to Node. An incremental hash object would take twice as long,
 * and every request hashes its key.
 */
const digests: Layer.Layer<Digest.Digest> = Layer.succeed(Digest.Digest, {
  // The digest is copied, because a Node buffer can be part of a larger one.
  digest: (algorithm, bytes) =>
    Effect.sync(() => new Uint8Array(hash(names[algorithm.name], bytes, "buffer"))),
  digestHex: (algorithm, bytes) => Effect.sync(() => hash(names[algorithm.name], bytes, "hex"))
})

/** The number of bytes in a UUID. */
const idLength = 16

/**
 * Number of random bytes that are drawn in advance, which is enough for 256 ids. Node's
 * `randomUUID` draws half as many in advance.
 */
const supplyLength = 4_096

/** Makes a source of random bytes, which returns a new array of the given length for each call. */
export const makeDraw = (): ((length: number) => Uint8Array<ArrayBuffer>) => {
  const supply = new Uint8Array(supplyLength)
  let taken = supplyLength
  return (length) => {
    if (length > idLength) return randomFillSync(new Uint8Array(length))
    if (taken + length > supplyLength) {
      randomFillSync(supply)
      taken = 0
    }
    const start = taken
    taken += length
    return supply.slice(start, taken)
  }
}

/**
 * Secure random bytes. The bytes for ids are drawn in advance, because drawing 16 bytes takes as
 * long as drawing 4,096, and each request draws bytes twice. Keys and secrets are longer, and their
 * bytes are never kept in memory in advance.
 */
const randomBytes: Layer.Layer<SecureRandom.SecureRandom> = Layer.sync(
  SecureRandom.SecureRandom,
  () => SecureRandom.make(makeDraw())
)

/** The platform services that Verbatim's services and workers need. */
export const platform: Layer.Layer<Digest.Digest | Mac.Mac | SecureRandom.SecureRandom> =
  Layer.mergeAll(randomBytes, digests, NodeCrypto.layerMac)

/** Implements Effect's randomness, hashes and signatures with Node. */

import { randomFillSync } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node-shared/NodeCrypto"
import { Layer } from "effect"
import { type Digest, type Mac, SecureRandom } from "effect/crypto"

/** The length of a UUID in bytes. */
const idLength = 16

/**
 * Number of random bytes to draw in advance: enough for 256 ids, twice as many as Node's
 * `randomUUID` prepares.
 */
const supplyLength = 4_096

/** Creates a function that returns a new array of random bytes, of the given length. */
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
 * Provides secure random bytes. Bytes for ids are drawn in advance, because drawing 16 takes as
 * long as drawing 4,096, and each request needs two draws. Bytes for keys and secrets, which are
 * longer, are never drawn in advance.
 */
const randomBytes: Layer.Layer<SecureRandom.SecureRandom> = Layer.sync(
  SecureRandom.SecureRandom,
  () => SecureRandom.make(makeDraw())
)

/** The platform services that Verbatim's services and workers require. */
export const platform: Layer.Layer<Digest.Digest | Mac.Mac | SecureRandom.SecureRandom> =
  Layer.mergeAll(randomBytes, NodeCrypto.layerDigest, NodeCrypto.layerMac)

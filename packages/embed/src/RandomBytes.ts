/**
 * Secure random bytes, with a supply for ids: a draw of 16 bytes takes the platform as long as one
 * of 4,096, and each request draws two. Keys and secrets are longer, and never wait in memory.
 */
import { randomFillSync } from "node:crypto"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/** Bytes of a UUID. */
const idLength = 16

/** Bytes drawn in advance: 256 ids. `randomUUID` of Node keeps half of that. */
const supplyLength = 4_096

/** Makes a source of random bytes: a fresh array of a length for each call. */
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

/** Secure randomness, from a supply of its own. */
export const layer: Layer.Layer<SecureRandom.SecureRandom> = Layer.sync(
  SecureRandom.SecureRandom,
  () => SecureRandom.make(makeDraw())
)

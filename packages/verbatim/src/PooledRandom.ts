/**
 * Random bytes of the platform, fetched for many calls at once: sixteen bytes cost as much as a
 * thousand, and every request takes some. Node's own `randomUUID` does the same.
 */
import { getRandomValues } from "node:crypto"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/** Bytes of one fetch: 256 identifiers. */
const poolByteLength = 4_096

/** The platform hands out no more at once (Web Cryptography, `getRandomValues`). */
const fetchByteLengthMax = 65_536

const fetched = (byteLength: number): Uint8Array => {
  const bytes = new Uint8Array(byteLength)
  for (let at = 0; at < byteLength; at += fetchByteLengthMax) {
    getRandomValues(bytes.subarray(at, at + fetchByteLengthMax))
  }
  return bytes
}

const pooled = (): ((size: number) => Uint8Array) => {
  let pool: Uint8Array = new Uint8Array(0)
  let taken = 0
  return (size) => {
    if (size > poolByteLength) return fetched(size)
    if (taken + size > pool.length) {
      pool = fetched(poolByteLength)
      taken = 0
    }
    const bytes = pool.slice(taken, taken + size)
    // A token may come of them: no second copy stays behind.
    pool.fill(0, taken, taken + size)
    taken += size
    return bytes
  }
}

/** Secure randomness from a pool. */
export const layer: Layer.Layer<SecureRandom.SecureRandom> = Layer.sync(
  SecureRandom.SecureRandom,
  () => SecureRandom.make(pooled())
)

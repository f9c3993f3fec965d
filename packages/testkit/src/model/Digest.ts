/**
 * Hashes values. Equal values have equal digests, in any order of their keys. Timestamps are hashed
 * as milliseconds.
 */

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/**
 * The two multipliers of the hash cyrb53. Its 53 bits suffice for the millions of values in a run.
 */
const first = 2_654_435_761
const second = 1_597_334_677

/** Returns the digest of any value that JSON can express. */
export const digestOf = (value: unknown): string => {
  const text = JSON.stringify(value, sortKeys)
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, first)
    low = Math.imul(low ^ code, second)
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36)
}

const digests = new WeakMap<object, string>()

/** Returns the digest of an immutable value, and computes it only once. */
export const digestOnce = (value: object): string => {
  let digest = digests.get(value)
  if (digest === undefined) {
    digest = digestOf(value)
    digests.set(value, digest)
  }
  return digest
}

/**
 * The source of all randomness in a run. A seed gives any number of named streams that do not
 * affect each other. Dropping a fault therefore leaves the other random choices unchanged.
 */

/** A stream of random numbers. */
export interface Dice {
  /** Returns a number from 0 up to, but not including, 1. */
  readonly next: () => number
  /** Returns an integer from 0 up to, but not including, `count`. */
  readonly below: (count: number) => number
  /** Returns an integer between the two bounds, inclusive. */
  readonly between: (min: number, max: number) => number
  readonly chance: (probability: number) => boolean
  /** Returns an element of a non-empty list. */
  readonly pick: <A>(list: ReadonlyArray<A>) => A
  readonly bytes: (count: number) => Uint8Array
}

const golden = 0x9e3779b9

/** Hashes a seed and a stream's name to 32 bits (FNV-1a). */
const start = (seed: number, name: string): number => {
  let hash = (0x811c9dc5 ^ Math.imul(seed, golden)) >>> 0
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193) >>> 0
  }
  return hash
}

/**
 * Returns the stream with the given name (mulberry32: small, fast, and random enough for choices).
 */
export const dice = (seed: number, name: string): Dice => {
  let state = start(seed, name)
  const word = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const next = () => word() / 4_294_967_296
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    between: (min, max) => min + below(max - min + 1),
    chance: (probability) => next() < probability,
    pick: <A>(list: ReadonlyArray<A>) => list[below(list.length)] as A,
    bytes: (count) => Uint8Array.from({ length: count }, () => word() & 0xff)
  }
}

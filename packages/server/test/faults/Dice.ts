/**
 * Generates random numbers from a seed. The same seed reproduces a run as exactly as processes
 * allow.
 */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number that is at least 0 and less than 1, by the algorithm mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Returns a whole number below a limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** Returns true with the given probability. */
  chance(share: number): boolean {
    return this.next() < share
  }
}

/**
 * Shrinks a failure: keeps a single fault if that suffices, and otherwise drops faults as long as
 * the same guarantee still breaks.
 */
import type { FaultName } from "../faults/FaultCatalogue.ts"
import { type Options, type Outcome, run } from "../Simulation.ts"

/** Returns whether two runs broke at least one guarantee in common. */
const isSame = (a: Outcome, b: Outcome): boolean =>
  a.violations.some(({ rule }) => b.violations.some((other) => other.rule === rule))

/** Returns the list with some of the faults dropped. */
const without = (
  faults: ReadonlyArray<FaultName>,
  dropped: ReadonlyArray<FaultName>
): ReadonlyArray<FaultName> => faults.filter((name) => !dropped.includes(name))

/** Returns how many faults to drop at once: half of the faults, then a quarter, and finally one. */
const sizesFrom = (count: number): ReadonlyArray<number> => {
  const half = Math.ceil(count / 2)
  return half <= 1 ? [1] : [half, ...sizesFrom(half)]
}

/**
 * Returns a failed run from which no fault can be dropped. Each fault has its own random stream, so
 * the remaining faults strike as before.
 */
export const shrink = (options: Options, failed: Outcome): Outcome => {
  // Perhaps no fault is needed, or a single fault suffices but the others hide its effect.
  for (const faults of [[], ...failed.faults.map((name) => [name])]) {
    const small = run({ ...options, faults })
    if (isSame(failed, small)) return small
  }
  let best = failed
  const drop = (size: number) => {
    for (let start = 0; start < best.faults.length; ) {
      const dropped = best.faults.slice(start, start + size)
      const outcome = run({ ...options, faults: without(best.faults, dropped) })
      if (isSame(failed, outcome)) best = outcome
      else start += size
    }
  }
  // Repeats while faults can be dropped, because dropping one fault can make others unnecessary.
  for (let count = Number.POSITIVE_INFINITY; best.faults.length < count; ) {
    count = best.faults.length
    for (const size of sizesFrom(count)) drop(size)
  }
  return best
}

/**
 * Makes a failure smaller: keeps one fault if that is enough, and otherwise drops one after the
 * other while the same guarantee still breaks.
 */
import type { FaultName } from "../faults/FaultCatalogue.ts"
import { type Options, type Outcome, run } from "../Simulation.ts"

/** Whether two runs broke a guarantee in common. */
const isSame = (a: Outcome, b: Outcome): boolean =>
  a.violations.some(({ rule }) => b.violations.some((other) => other.rule === rule))

/** Without some of the faults. */
const without = (
  faults: ReadonlyArray<FaultName>,
  dropped: ReadonlyArray<FaultName>
): ReadonlyArray<FaultName> => faults.filter((name) => !dropped.includes(name))

/** How much is dropped at once: halves, quarters, and finally single faults. */
const sizesFrom = (count: number): ReadonlyArray<number> => {
  const half = Math.ceil(count / 2)
  return half <= 1 ? [1] : [half, ...sizesFrom(half)]
}

/**
 * The failed run with as few faults as were found to suffice: without any of them that guarantee
 * holds. Each fault has its own random stream, so those that stay strike as before.
 */
export const shrink = (options: Options, failed: Outcome): Outcome => {
  // Perhaps none is needed, or one suffices but is hidden by the effects of the others.
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
  // A fault that others needed may be needless without them: so again, as long as it helps.
  for (let count = Number.POSITIVE_INFINITY; best.faults.length < count; ) {
    count = best.faults.length
    for (const size of sizesFrom(count)) drop(size)
  }
  return best
}

/**
 * Makes a failure smaller: drops one fault after the other while the same guarantee still breaks.
 */
import type { FaultName } from "./FaultCatalogue.ts"
import { type Options, type Outcome, run } from "./Simulation.ts"

/** Whether two runs broke a guarantee in common. */
const isSame = (a: Outcome, b: Outcome): boolean =>
  a.violations.some(({ rule }) => b.violations.some((other) => other.rule === rule))

/** Without some of the faults. */
const without = (
  faults: ReadonlyArray<FaultName>,
  dropped: ReadonlyArray<FaultName>
): ReadonlyArray<FaultName> => faults.filter((name) => !dropped.includes(name))

/**
 * The failed run with as few faults as were found to suffice. Halves are tried before single
 * faults; each fault has its own chance, so that those which stay strike as before.
 */
export const shrink = (options: Options, failed: Outcome): Outcome => {
  let best = failed
  for (let size = Math.ceil(best.faults.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < best.faults.length; ) {
      const dropped = best.faults.slice(start, start + size)
      const outcome = run({ ...options, faults: without(best.faults, dropped) })
      if (isSame(failed, outcome)) best = outcome
      else start += size
    }
  }
  return best
}

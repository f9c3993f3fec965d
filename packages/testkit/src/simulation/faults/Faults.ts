/**
 * Decides from the seed which faults a run has and when each fault strikes. When a run is repeated
 * with only some of its faults, these faults strike as often as before.
 */

import { type Dice, dice } from "../clock/Seed.ts"
import type { Trace } from "../record/Trace.ts"
import { catalogue, type FaultKind, type FaultName, faultNames } from "./FaultCatalogue.ts"

/** Decides when each of a run's faults strikes. */
export interface Faults {
  /**
   * Decides whether a fault happens now. The trace records the operation and the affected actor.
   */
  readonly strikes: (name: FaultName, whom: string, where?: string) => boolean
  /** Turns off all faults except those turned back on with `rage`. */
  readonly calm: () => void
  /**
   * Turns faults back on for actors whose names start with the string. Null turns off these faults
   * again.
   */
  readonly rage: (whom: string | null) => void
  readonly isCalm: () => boolean
  readonly active: ReadonlyArray<FaultName>
  /** How often each fault struck. */
  readonly counts: ReadonlyMap<FaultName, number>
}

interface Source {
  readonly rate: number
  readonly chance: Dice
}

const half = 0.5

/** One seed in this many has no faults. In such a run, every job must succeed. */
const calmPeriod = 16

/** Draws a log-uniform rate, because rates span several orders of magnitude. */
const rateOf = (name: FaultName, chance: Dice): number => {
  const { rateMax, rateMin } = catalogue[name]
  return rateMin * (rateMax / rateMin) ** chance.next()
}

/** Chooses the faults for a seed from the allowed faults. */
export const make = (
  seed: number,
  {
    allowed = faultNames,
    trace
  }: {
    readonly allowed?: ReadonlyArray<FaultName> | undefined
    readonly trace: Trace
  }
): Faults => {
  const sources = new Map<FaultName, Source>()
  for (const name of seed % calmPeriod === 0 ? [] : faultNames) {
    const chance = dice(seed, `fault ${name}`)
    const [isOn, rate] = [chance.chance(half), rateOf(name, chance)]
    if (isOn && allowed.includes(name)) sources.set(name, { rate, chance })
  }
  const counts = new Map<FaultName, number>()
  let isCalm = false
  let raging: string | null = null
  return {
    strikes: (name, whom, where) => {
      const source = sources.get(name)
      const { isLate = false }: FaultKind = catalogue[name]
      const isSpared = isCalm && !isLate && (raging === null || !whom.startsWith(raging))
      if (isSpared || source === undefined || !source.chance.chance(source.rate)) return false
      counts.set(name, (counts.get(name) ?? 0) + 1)
      trace.add(whom, where === undefined ? `! ${name}` : `! ${name}: ${where}`)
      return true
    },
    calm: () => {
      isCalm = true
    },
    rage: (whom) => {
      raging = whom
    },
    isCalm: () => isCalm,
    active: [...sources.keys()],
    counts
  }
}

/**
 * Which faults a run has, and when they strike. The seed decides both; a run can be given a part of
 * its faults only, which then strike as often as before.
 */

import { type Dice, dice } from "../clock/Seed.ts"
import type { Trace } from "../record/Trace.ts"
import { catalogue, type FaultKind, type FaultName, faultNames } from "./FaultCatalogue.ts"

/** The faults of one run. */
export interface Faults {
  /** Whether a fault happens at this opportunity; the trace tells whom it hits, and where. */
  readonly strikes: (name: FaultName, whom: string, where?: string) => boolean
  /** From now on nothing goes wrong any more, except as `rage` says. */
  readonly calm: () => void
  /** From now on things go wrong again for those whose names begin like this; null for nobody. */
  readonly rage: (whom: string | null) => void
  readonly isCalm: () => boolean
  /** The faults that are on. */
  readonly active: ReadonlyArray<FaultName>
  /** How often each fault struck. */
  readonly counts: ReadonlyMap<FaultName, number>
}

interface Source {
  readonly rate: number
  readonly chance: Dice
}

const half = 0.5

/** One seed in this many has no fault at all: then everything must not only end, but end well. */
const calmPeriod = 16

/** Rates differ by factors, so the logarithm is drawn evenly. */
const rateOf = (name: FaultName, chance: Dice): number => {
  const { rateMax, rateMin } = catalogue[name]
  return rateMin * (rateMax / rateMin) ** chance.next()
}

/** The faults that a seed turns on, of those that are allowed. */
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

/**
 * Summarises many runs: how much was simulated, and how often each fault struck. The summaries from
 * several threads can be added.
 */
import { type FaultName, faultNames } from "../faults/Faults.ts"
import type { Outcome } from "../Simulation.ts"

/** Counts of seeds, jobs, faults and violations over many runs. */
export interface Summary {
  readonly seeds: number
  readonly simulatedMillis: number
  readonly steps: number
  readonly jobs: number
  readonly struck: Readonly<Partial<Record<FaultName, number>>>
  readonly failed: ReadonlyArray<number>
}

/** The summary of no runs. */
export const empty: Summary = {
  seeds: 0,
  simulatedMillis: 0,
  steps: 0,
  jobs: 0,
  struck: {},
  failed: []
}

/** Summarises one run. */
export const of = (outcome: Outcome): Summary => ({
  seeds: 1,
  simulatedMillis: outcome.simulatedMillis,
  steps: outcome.steps,
  jobs: outcome.jobs,
  struck: Object.fromEntries(outcome.struck),
  failed: outcome.violations.length > 0 ? [outcome.seed] : []
})

type Counts = Readonly<Record<string, number>>

const sum = (a: Counts, b: Counts): Counts => {
  const total: Record<string, number> = { ...a }
  for (const [name, count] of Object.entries(b)) total[name] = (total[name] ?? 0) + count
  return total
}

export const add = (a: Summary, b: Summary): Summary => ({
  seeds: a.seeds + b.seeds,
  simulatedMillis: a.simulatedMillis + b.simulatedMillis,
  steps: a.steps + b.steps,
  jobs: a.jobs + b.jobs,
  struck: sum(a.struck, b.struck),
  failed: [...a.failed, ...b.failed].sort((one, other) => one - other)
})

const hourMillis = 3_600_000

/** Formats a summary as lines. `elapsedMillis` is how long the runs took in real time. */
export const lines = (summary: Summary, elapsedMillis: number): ReadonlyArray<string> => {
  const seconds = elapsedMillis / 1_000
  const rate = summary.seeds / seconds
  const struck = faultNames.filter((name) => (summary.struck[name] ?? 0) > 0).length
  return [
    "",
    `faults that struck, ${struck} of ${faultNames.length}`,
    ...faultNames.map((name) => `${String(summary.struck[name] ?? 0).padStart(9)}  ${name}`),
    "",
    `${summary.seeds} seeds in ${seconds.toFixed(1)} s, ${rate.toFixed(1)} seeds/s`,
    `${summary.failed.length} seeds in which a guarantee did not hold`,
    `${(summary.simulatedMillis / hourMillis).toFixed(1)} simulated hours, ` +
      `${summary.jobs} accepted jobs, ${summary.steps} steps`
  ]
}

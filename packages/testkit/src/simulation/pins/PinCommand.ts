/**
 * Many seeds of the cache of pins, or one with all its calls: what the command prints.
 */
import { type PinOutcome, runPins } from "./PinSimulation.ts"

/** Many runs, in numbers. */
export interface PinSummary {
  readonly seeds: number
  readonly counts: Readonly<Record<string, number>>
  /** Seeds in which a law did not hold, with the first law that broke. */
  readonly failed: ReadonlyArray<readonly [seed: number, rule: string]>
}

/** No run at all. */
export const noPins: PinSummary = { seeds: 0, counts: {}, failed: [] }

/** Both together. */
export const addPins = (one: PinSummary, other: PinSummary): PinSummary => {
  const counts: Record<string, number> = { ...one.counts }
  for (const [name, count] of Object.entries(other.counts)) {
    counts[name] = (counts[name] ?? 0) + count
  }
  return {
    seeds: one.seeds + other.seeds,
    counts,
    failed: [...one.failed, ...other.failed].sort(([a], [b]) => a - b)
  }
}

const summaryOf = ({ counts, seed, violations }: PinOutcome): PinSummary => ({
  seeds: 1,
  counts,
  failed: violations.slice(0, 1).map(({ rule }) => [seed, rule] as const)
})

/** Runs some seeds. */
export const runPinSeeds = async (seeds: ReadonlyArray<number>): Promise<PinSummary> => {
  let summary = noPins
  for (const seed of seeds) summary = addPins(summary, summaryOf(await runPins(seed)))
  return summary
}

/** The summary as lines to read. */
export const pinLines = (
  { counts, failed, seeds }: PinSummary,
  elapsedMillis: number
): ReadonlyArray<string> => {
  const seconds = elapsedMillis / 1_000
  return [
    "",
    ...Object.entries(counts)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, count]) => `${String(count).padStart(9)}  ${name}`),
    "",
    ...failed.map(([seed, rule]) => `seed ${seed}: ${rule}`),
    `${seeds} seeds in ${seconds.toFixed(1)} s, ${(seeds / seconds).toFixed(1)} seeds/s`,
    `${failed.length} seeds in which a law did not hold`
  ]
}

/** One run as lines to read: every call, and what broke. */
export const pinTrace = ({ calls, counts, limits, violations }: PinOutcome): string =>
  [
    JSON.stringify(limits),
    ...calls.map(
      ({ calledAt, life, reference, told, toldAt }) =>
        `${calledAt} to ${toldAt}, life ${life}, ${reference}: ${JSON.stringify(told)}`
    ),
    JSON.stringify(counts),
    ...violations.map(({ rule, what }) => `${rule}\n  ${what}`)
  ].join("\n")

/**
 * Whether lost work was found again in time: by the clock, which is fair where the machine is not
 * overloaded, and by the looks that passed it over, which is fair everywhere.
 */
import type { Report } from "./Audit.ts"
import type { Recovery } from "./Recovery.ts"

/**
 * The longest time from a kill to the claim that finds out, if nothing due earlier waits: a lease
 * of 30 s, a look at the queue, a reserve.
 */
export const recoveryMillisMax = 33_000

/**
 * The same for work that runs alone, because a process died with it before. Whoever is busy looks
 * for such work every 15 s (`lookInterval` of core's `Isolation`), and before its look it may have
 * to end what it is doing and another one that runs alone: 1.5 s each, for these engines.
 */
export const suspectMillisMax = recoveryMillisMax + 15_000 + 3_000

/**
 * Looks that may pass over work which they had room for. Some do: one of several at the same time
 * may skip what another one is looking at.
 */
const passesMax = 8

const isSuspect = ({ kind }: Recovery): boolean => kind === "Isolate"

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0

/**
 * How long each victim's work of each kind waited first in line. The longest counts: what follows a
 * late piece is behind it, and seems to have waited for nothing.
 */
const waits = (recovered: ReadonlyArray<Recovery>): ReadonlyArray<number> =>
  [...Map.groupBy(recovered, ({ kind, victim }) => `${victim} ${kind}`).values()].map((pieces) =>
    Math.max(...pieces.map(({ firstMillis }) => firstMillis))
  )

/** What is known about the recoveries of a run, in milliseconds. */
export const timesOf = (recovered: ReadonlyArray<Recovery>) => {
  const others = recovered.filter((one) => !isSuspect(one))
  const suspects = recovered.filter(isSuspect)
  const times = others.map(({ millis }) => millis)
  return {
    "pieces of work that lost their worker": others.length,
    "recovery p50 (ms)": percentile(times, 0.5),
    "recovery p99 (ms)": percentile(times, 0.99),
    "first in line, p99 of victims (ms)": percentile(waits(others), 0.99),
    "pieces that lost it again, alone": suspects.length,
    "alone: recovery p99 (ms)": percentile(
      suspects.map(({ millis }) => millis),
      0.99
    ),
    "alone: first in line, p99 of victims (ms)": percentile(waits(suspects), 0.99),
    "most looks that passed over lapsed work": Math.max(0, ...recovered.map((one) => one.passes))
  }
}

/** What took too long, in words: nothing when all was in time. */
export const lateOf = (recovered: ReadonlyArray<Recovery>): ReadonlyArray<string> => {
  const {
    "alone: first in line, p99 of victims (ms)": suspectMillis,
    "first in line, p99 of victims (ms)": millis
  } = timesOf(recovered)
  return [
    ...(millis > recoveryMillisMax ? [`Recovery took too long: ${millis} ms (p99)`] : []),
    ...(suspectMillis > suspectMillisMax
      ? [`Recovery of work that runs alone took too long: ${suspectMillis} ms (p99)`]
      : [])
  ]
}

/** What befell a run, and how many looks were seen in it. */
interface Befallen {
  readonly areKillsAlone: boolean
  readonly kills: number
  readonly looks: number
}

/** Counts violations that no clock decides. */
export const missesOf = (
  recovered: ReadonlyArray<Recovery>,
  { areKillsAlone, kills, looks }: Befallen
): Report => ({
  // Then nothing was judged: nobody was hit, or what processes tell is not understood any more.
  "kills, and no recovery seen": kills > 0 && recovered.length === 0 ? 1 : 0,
  "kills, and no look seen": kills > 0 && looks === 0 ? 1 : 0,
  // Where ways to the database go silent, a row may be locked by somebody who does not answer.
  "lapsed work passed over": areKillsAlone
    ? recovered.filter(({ passes }) => passes > passesMax).length
    : 0
})

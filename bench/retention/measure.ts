/**
 * Old jobs go from Postgres while new ones run: how long a new job takes from its instant to its
 * webhook, in turns with and without the removal, until no old job is left.
 */
import { loadavg } from "node:os"
import { launch } from "@verbatim/testkit/servers"
import { callbackIdOf, instantOf, type Pace } from "../jobs/Child.ts"
import { makeDatabase } from "../jobs/Databases.ts"
import { type Fleet, startFleet } from "../jobs/Fleet.ts"
import { median } from "../Rounds.ts"
import { startArrivals } from "./Arrivals.ts"
import { countOld, fillOld, setRule, verifyGone } from "./OldJobs.ts"

export interface RetentionOptions {
  readonly oldCount: number
  /** New jobs, each at its own instant, however long others take. */
  readonly perSecond: number
  readonly roundSeconds: number
}

type Arrivals = Awaited<ReturnType<typeof startArrivals>>

/** Before a measurement: connections, plans and compiled code are warm then. */
const warmUpSeconds = 5

/** From the order to the first job: the children have to read it. */
const leadMillis = 300

/** A removal that takes more rounds does not come to an end. */
const roundMax = 500

/** Runs new jobs at a pace, and returns how long each took, in milliseconds. */
const run = async (
  { arrivals, fleet, first }: { arrivals: Arrivals; fleet: Fleet; first: number },
  { perSecond, seconds }: { perSecond: number; seconds: number }
): Promise<ReadonlyArray<number>> => {
  const count = Math.round(perSecond * seconds)
  const pace: Pace = { startAt: Date.now() + leadMillis, perSecond }
  const ids = Array.from({ length: count }, (_, index) => callbackIdOf(first + index))
  const [heard] = await Promise.all([arrivals.hear(ids), fleet.accept({ first, count, pace })])
  return heard.map((at, index) => at - instantOf(pace, index))
}

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN

const text = (millis: number): string => `${millis.toFixed(0)} ms`.padStart(9)

/** A stretch of time, with the removal or without it. */
interface Round {
  readonly isOn: boolean
  readonly took: ReadonlyArray<number>
  readonly removed: number
}

const p99 = ({ took }: Round): number => percentile(took, 0.99)

const print = ({ isOn, removed, took }: Round, left: number): void => {
  const cells = [
    isOn ? "with removal   " : "without removal",
    `p50 ${text(percentile(took, 0.5))}`,
    `p99 ${text(percentile(took, 0.99))}`,
    `${removed} removed, ${left} left`.padStart(32),
    `load ${(loadavg()[0] ?? 0).toFixed(1)}`
  ]
  console.log(cells.join("  "))
}

/** Both sides of all rounds, and the ratios of neighbours. */
const summarize = (rounds: ReadonlyArray<Round>): void => {
  const all = (isOn: boolean) =>
    rounds.filter((round) => round.isOn === isOn).flatMap(({ took }) => took)
  const [on, off] = [all(true), all(false)]
  const ratios = rounds.flatMap((round, index) => {
    const before = rounds[index - 1]
    return round.isOn && before !== undefined ? [p99(round) / p99(before)] : []
  })
  for (const share of [0.5, 0.9, 0.99]) {
    const [with_, without] = [percentile(on, share), percentile(off, share)]
    const ratio = (with_ / without).toFixed(2)
    console.log(`p${share * 100}: ${text(without)} without, ${text(with_)} with, ${ratio} of it`)
  }
  console.log(`p99 by rounds, with : without: ${median(ratios).toFixed(2)} (median)`)
}

/** Prints each round, and what came of all of them. */
export const measureRetention = async (options: RetentionOptions): Promise<void> => {
  const { oldCount, perSecond, roundSeconds } = options
  const server = await launch({ isDurable: true, connectionsMax: 100 })
  try {
    using arrivals = await startArrivals()
    const databaseUrl = await makeDatabase(server.url, { name: "retention", side: "ours" })
    const place = { databaseUrl, callbackUrl: arrivals.url, workers: 1 }
    let first = 1
    const measure = async (seconds: number): Promise<ReadonlyArray<number>> => {
      await using fleet = await startFleet("ours", place)
      const warm = { perSecond, seconds: warmUpSeconds }
      first += (await run({ arrivals, fleet, first }, warm)).length
      const took = await run({ arrivals, fleet, first }, { perSecond, seconds })
      first += took.length
      return took
    }
    await measure(1)
    const filledAt = performance.now()
    await fillOld(databaseUrl, oldCount)
    console.log(
      `${oldCount} old jobs, made in ${((performance.now() - filledAt) / 1000).toFixed(0)} s;`,
      `${perSecond} new ones a second, rounds of ${roundSeconds} s:`
    )
    const rounds: Array<Round> = []
    let left = await countOld(databaseUrl)
    for (let count = 0; left > 0 && count < roundMax; count += 1) {
      const isOn = count % 2 === 1
      await setRule(databaseUrl, isOn)
      const took = await measure(roundSeconds)
      const before = left
      left = await countOld(databaseUrl)
      const round = { isOn, took, removed: before - left }
      rounds.push(round)
      print(round, left)
    }
    await verifyGone(databaseUrl, oldCount)
    summarize(rounds)
  } finally {
    await server.remove()
  }
}

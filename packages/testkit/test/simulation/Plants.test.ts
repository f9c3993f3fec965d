import { assert, describe, it } from "@effect/vitest"
import { chooseCases } from "#src/laws/Runs"
import { upTo } from "#src/samples/Ids"
import type { FaultName } from "#src/simulation/faults/FaultCatalogue"
import { lines } from "#src/simulation/record/Trace"
import { shrink } from "#src/simulation/report/Shrink"
import { type Outcome, run } from "#src/simulation/Simulation"
import { noticePlants } from "./NoticePlants.ts"
import { type Plant, plants } from "./Plants.ts"

/** As many seeds as a minute of `npm run simulate` runs many times over. */
const seedMax = 200

/** A second or two on an idle machine, and far more on one that many share. */
const timeoutMillis = 600_000

const findPlant = (name: string): Plant =>
  plants.find(({ fault }) => fault === name) ?? assert.fail("there is no such plant")

/** The first run that finds a planted fault. */
const findIn = ({ breaks, options, seed: known }: Plant): Outcome | undefined => {
  for (const seed of [known, ...upTo(seedMax)]) {
    const outcome = run({ ...options, seed })
    if (outcome.violations.some(({ rule }) => breaks.includes(rule))) return outcome
  }
  return undefined
}

/** Some of the faults that strike there: each one costs the search a run or two. */
const strikes: ReadonlyArray<FaultName> = [
  "store refuses",
  "store is called twice",
  "claim is lost",
  "renewal fails",
  "media is silent",
  "engine fails",
  "engine dies",
  "receiver times out",
  "client goes away",
  "balance changes"
]

describe("The simulation finds it when", () => {
  for (const plant of chooseCases([...plants, ...noticePlants], 3)) {
    it(
      plant.fault,
      () => {
        const outcome = findIn(plant)
        assert.isDefined(outcome, `no seed up to ${seedMax} finds it`)
        assert.isAbove(outcome?.trace.length ?? 0, 0)
      },
      timeoutMillis
    )
  }

  it(
    "and needs few of the faults to show it",
    () => {
      const plant = findPlant("an attempt is counted after its POST")
      const options = { ...plant.options, seed: plant.seed }
      const failed = run({ ...options, faults: strikes })
      assert.isTrue(failed.violations.some(({ rule }) => plant.breaks.includes(rule)))
      const smallest = shrink(options, failed)
      assert.isAtMost(smallest.faults.length, 4)
      assert.isTrue(smallest.violations.some(({ rule }) => plant.breaks.includes(rule)))
      assert.match(lines(smallest.trace).join("\n"), /auditor .*(?:requests|attempt)/)
    },
    timeoutMillis
  )

  it(
    "and blames no fault for what happens without any",
    () => {
      const plant = findPlant("a job is shown to every workspace")
      const isFoundIn = (seed: number, faults?: []) =>
        run({ ...plant.options, seed, ...(faults && { faults }) }).violations.length > 0
      const seed = upTo(seedMax).find((each) => isFoundIn(each, []) && isFoundIn(each))
      const options = { ...plant.options, seed: seed ?? assert.fail("no seed finds it") }
      const failed = run(options)
      assert.isNotEmpty(failed.faults)
      assert.deepStrictEqual(shrink(options, failed).faults, [])
    },
    timeoutMillis
  )
})

import { assert, describe, it } from "@effect/vitest"
import { upTo } from "#src/samples/Ids"
import { lines } from "#src/simulation/record/Trace"
import { shrink } from "#src/simulation/report/Shrink"
import { type Outcome, run } from "#src/simulation/Simulation"
import { type Plant, plants } from "./Plants.ts"

/** As many seeds as a minute of `npm run simulate` runs many times over. */
const seedMax = 200

/** A second or two on an idle machine, and far more on one that many share. */
const timeoutMillis = 600_000

/** The first run that finds a planted fault. */
const findIn = ({ breaks, options, seed: known }: Plant): Outcome | undefined => {
  for (const seed of [known, ...upTo(seedMax)]) {
    const outcome = run({ ...options, seed })
    if (outcome.violations.some(({ rule }) => breaks.includes(rule))) return outcome
  }
  return undefined
}

describe("The simulation finds it when", () => {
  for (const plant of plants) {
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
      const plant = plants.find(({ fault }) => fault === "an attempt is counted after its POST")
      const failed = plant === undefined ? undefined : findIn(plant)
      if (plant === undefined || failed === undefined) return assert.fail("the plant is not found")
      const smallest = shrink({ ...plant.options, seed: failed.seed }, failed)
      assert.isBelow(smallest.faults.length, failed.faults.length)
      assert.isAtMost(smallest.faults.length, 8)
      assert.isTrue(smallest.violations.some(({ rule }) => plant.breaks.includes(rule)))
      assert.match(lines(smallest.trace).join("\n"), /auditor .*(?:requests|attempt)/)
    },
    timeoutMillis
  )

  it(
    "and blames no fault for what happens without any",
    () => {
      const plant = plants.find(({ fault }) => fault === "a job is shown to every workspace")
      if (plant === undefined) return assert.fail("there is no such plant")
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

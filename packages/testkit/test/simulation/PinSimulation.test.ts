import { assert, describe, it } from "@effect/vitest"
import { scaleRuns } from "#src/laws/Runs"
import { runPins } from "#src/simulation/pins/PinSimulation"

/** `npm run simulate -- presets` runs twenty thousand. A seed takes some 15 ms. */
const seedCount = scaleRuns(150)

const timeoutMillis = 600_000

describe("The simulation of the cache of presets", () => {
  it(
    `keeps every law in the seeds 1 to ${seedCount}`,
    async () => {
      const told = new Set<string>()
      for (let seed = 1; seed <= seedCount; seed++) {
        const { counts, violations } = await runPins(seed)
        assert.deepStrictEqual(violations, [], `seed ${seed}`)
        for (const name of Object.keys(counts)) told.add(name)
      }
      // Everything that can happen has happened.
      assert.includeMembers(
        [...told],
        ["told young", "told stale", "told Gone", "told Unavailable", "told Aborted", "restarts"]
      )
    },
    timeoutMillis
  )

  it("runs a seed the same way again", async () => {
    assert.deepStrictEqual(await runPins(7), await runPins(7))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { scaleRuns } from "#src/laws/Runs"
import { feedFaults } from "#src/simulation/feeds/FeedServer"
import { runFeeds } from "#src/simulation/feeds/FeedSimulation"

/** Each has some two hundred reconnects. */
const seedCount = scaleRuns(60)

/** Seeds in which each planted fault must show. */
const faultySeeds = 30

const timeoutMillis = 600_000

describe("The simulation of those who listen", () => {
  it(
    `hears everything once in the seeds 1 to ${seedCount}`,
    async () => {
      let [reconnects, resets] = [0, 0]
      for (let seed = 1; seed <= seedCount; seed++) {
        const outcome = await runFeeds(seed)
        assert.deepStrictEqual(outcome.violations, [], `seed ${seed}`)
        reconnects += outcome.reconnects
        resets += outcome.resets
      }
      assert.isAtLeast(resets, 1)
      assert.isAtLeast(reconnects, seedCount * 170)
    },
    timeoutMillis
  )

  for (const fault of feedFaults) {
    it(
      `finds a store that ${fault}`,
      async () => {
        for (let seed = 1; seed <= faultySeeds; seed++) {
          const { violations } = await runFeeds(seed, fault)
          if (violations.length > 0) return
        }
        assert.fail("it was not found")
      },
      timeoutMillis
    )
  }

  it("runs a seed the same way again", async () => {
    assert.deepStrictEqual(await runFeeds(7), await runFeeds(7))
  })
})

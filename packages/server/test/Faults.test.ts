/** Runs a short fault test. `npm run test:faults` runs longer ones with other seeds. */
import { assert, describe, it } from "vitest"
import { run } from "./faults/Run.ts"

describe("processes killed at random", () => {
  // The time limit is long, because the lease of a killed worker expires after 30 s, and three
  // leases can expire one after another.
  it("lose no accepted job, and accept or end no job twice", async () => {
    const { numbers, report } = await run({
      jobs: 30,
      kills: 4,
      seed: 7,
      database: "sqlite",
      log: () => undefined
    })
    for (const [what, count] of Object.entries(report)) assert.strictEqual(count, 0, what)
    assert.strictEqual(numbers.kills, 4)
    assert.isAbove(numbers["attempts that lost their worker"] ?? 0, 0)
  })
})

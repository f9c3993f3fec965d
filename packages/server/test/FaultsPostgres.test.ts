/**
 * Runs a short fault test on Postgres. Processes are killed, the server crashes every 5 s, and
 * proxies lose responses and stop forwarding, one of them permanently.
 */
import { assert, describe, it } from "vitest"
import { run } from "./faults/Run.ts"

/** Whether the Postgres server is external. An external server is never crashed. */
const isShared = (process.env.DATABASE_URL ?? "") !== ""

describe("processes using a crashing Postgres through failing proxies", () => {
  // The time limit is the same as for SQLite, because here too, three leases can expire one after
  // another.
  it("lose no accepted job, and accept or end no job twice", async () => {
    const { numbers, report, said } = await run({
      jobs: 40,
      kills: 3,
      seed: 11,
      database: "postgres",
      restartEvery: isShared ? 0 : 5,
      isProxied: true,
      log: () => undefined
    })
    const story = said.slice(-40).join("\n")
    for (const [what, count] of Object.entries(report)) {
      assert.strictEqual(count, 0, `${what}\n${story}`)
    }
    assert.strictEqual(numbers.kills, 3)
    assert.isAbove(numbers["attempts that lost their worker"] ?? 0, 0)
    assert.isAbove(numbers["lost responses to writes"] ?? 0, 0)
    assert.isAbove(numbers.silences ?? 0, 0)
    if (!isShared) assert.isAbove(numbers.crashes ?? 0, 0)
  })
})

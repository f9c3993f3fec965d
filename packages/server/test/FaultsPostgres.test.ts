/**
 * The fault tests over Postgres in short: processes are killed, the server crashes every 5 s, and
 * the ways to it lose answers and go silent, one of them for good.
 */
import { assert, describe, it } from "vitest"
import { run } from "./faults/Run.ts"

/** A server that is somebody else's is not made to crash. */
const isShared = (process.env.DATABASE_URL ?? "") !== ""

describe("processes over a Postgres that crashes, behind ways that fail", () => {
  // As over SQLite: with bad luck a lease lapses three times in a row.
  it("lose nothing, and do nothing twice", async () => {
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
    assert.isAbove(numbers["answers of writes lost"] ?? 0, 0)
    assert.isAbove(numbers.silences ?? 0, 0)
    if (!isShared) assert.isAbove(numbers.crashes ?? 0, 0)
  })
})

/** Tests several connections to one file, in one process and in several. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { staysLinear } from "../concurrency/LinearityCheck.ts"
import { onSqlite } from "../concurrency/Members.ts"
import { testTwo } from "../sql/TwoClientCases.ts"
import { claimOnBoth } from "../sql/TwoClients.ts"
import { twoConnections } from "./TemporaryDatabase.ts"

describe("a SQLite file", () => {
  testTwo("connections", twoConnections)

  it.live("hands out each task only once if two connections claim tasks", () =>
    Effect.gen(function* () {
      const ids = (yield* claimOnBoth(yield* twoConnections)).flat()
      assert.strictEqual(ids.length, 100)
      assert.strictEqual(new Set(ids).size, 100)
    })
  )
})

staysLinear(onSqlite)

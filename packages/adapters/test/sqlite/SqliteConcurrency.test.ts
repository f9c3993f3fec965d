/** Tests several connections to one file, in one process and in several. */
import { describe } from "@effect/vitest"
import { staysLinear } from "../concurrency/LinearityCheck.ts"
import { onSqlite } from "../concurrency/Members.ts"
import { testTwo } from "../sql/TwoClients.ts"
import { twoConnections } from "./TemporaryDatabase.ts"

describe("a SQLite file", () => {
  testTwo("connections", twoConnections)
})

staysLinear(onSqlite)

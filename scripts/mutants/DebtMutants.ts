/** Faults in what operators are shown of the work that is owed. */
import { type Mutant, memory, sql } from "./Mutant.ts"

const rows = sql("work/DebtRows.ts")
const registry = memory("MemoryWorkerRegistry.ts")

const tests = ["packages/adapters/test/sqlite/SqliteStores.test.ts"]

export const debtMutants: ReadonlyArray<Mutant> = [
  {
    fault: "lanes of two workspaces are shown as one",
    file: rows,
    text: "GROUP BY kind, workspace_id, lane",
    instead: "GROUP BY kind, lane",
    tests
  },
  {
    fault: "work that goes to no host is shown in a lane",
    file: rows,
    text: "FROM by_lane WHERE lane <> ''",
    instead: "FROM by_lane WHERE lane <> ' '",
    tests
  },
  {
    fault: "the lanes of all kinds are shown as those of one",
    file: rows,
    text: "OVER (PARTITION BY kind",
    instead: "OVER (PARTITION BY 1",
    tests
  },
  {
    fault: "a lane in which much is under way comes before one in which more is due",
    file: rows,
    text: "ORDER BY due DESC,",
    instead: "ORDER BY",
    tests
  },
  {
    fault: "lanes of two workspaces are shown as one, in memory",
    file: registry,
    text: "laneOf(work)",
    instead: "work.lane",
    tests: ["packages/adapters/test/memory"]
  },
  {
    fault: "lanes without anything due come first, in memory",
    file: registry,
    text: "Order.flip(Order.Number)",
    instead: "Order.Number",
    tests: ["packages/adapters/test/memory"]
  }
]

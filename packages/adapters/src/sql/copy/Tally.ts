/** What must be the same at both ends of a copy: the rows of each table, counted, and the money. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { storeTables } from "../StoreTables.ts"
import { copyError, reasons } from "./CopyEnds.ts"

/** Counts and sums by what they are of, exact. */
export type Tally = ReadonlyMap<string, string>

/** The entry for workspaces whose ledger does not sum to their balance. */
export const unbalanced = "workspaces whose ledger does not sum to the balance"

const sums: Readonly<Record<string, string>> = {
  "the sum of all balances": `SELECT CAST(COALESCE(SUM(balance_millis), 0) AS BIGINT)
    FROM verbatim_workspaces`,
  "the sum of the ledger": "SELECT CAST(COALESCE(SUM(millis), 0) AS BIGINT) FROM verbatim_ledger",
  [unbalanced]: `SELECT COUNT(*) FROM verbatim_workspaces WHERE balance_millis <>
    (SELECT COALESCE(SUM(millis), 0) FROM verbatim_ledger
      WHERE workspace_id = verbatim_workspaces.id)`
}

const counts = Object.fromEntries(
  storeTables.map(({ name }) => [`rows of ${name}`, `SELECT COUNT(*) FROM ${name}`])
)

/** Counts everything in one database. */
export const tally = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient
): Effect.fn.Return<Tally, SqlError.SqlError> {
  const found = new Map<string, string>()
  for (const [what, question] of Object.entries({ ...counts, ...sums })) {
    const [row] = yield* sql.unsafe(question).values
    found.set(what, String(row?.[0]))
  }
  return found
})

/** Fails with the first difference. */
export const mustAgree = (source: Tally, target: Tally) => {
  for (const [what, there] of source) {
    const here = String(target.get(what))
    if (here !== there) {
      return Effect.fail(copyError(reasons.Different.make({ what, source: there, target: here })))
    }
  }
  return Effect.void
}

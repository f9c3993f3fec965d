/**
 * Totals that must be equal at both ends of a copy: row counts of each table, and sums of money.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { storeTables } from "../StoreTables.ts"
import { copyError, reasons } from "./CopyEndpoints.ts"

/** Exact row counts and sums of a store, keyed by their descriptions. */
export type StoreTotals = ReadonlyMap<string, string>

/** The name of the total that counts workspaces whose ledger does not sum to their balance. */
export const unbalancedLedgers = "workspaces whose ledger does not sum to the balance"

const sums: Readonly<Record<string, string>> = {
  "the sum of all balances": `SELECT CAST(COALESCE(SUM(balance_millis), 0) AS BIGINT)
    FROM verbatim_workspaces`,
  "the sum of the ledger": "SELECT CAST(COALESCE(SUM(millis), 0) AS BIGINT) FROM verbatim_ledger",
  [unbalancedLedgers]: `SELECT COUNT(*) FROM verbatim_workspaces WHERE balance_millis <>
    (SELECT COALESCE(SUM(millis), 0) FROM verbatim_ledger
      WHERE workspace_id = verbatim_workspaces.id)`
}

const counts = Object.fromEntries(
  storeTables.map(({ name }) => [`rows of ${name}`, `SELECT COUNT(*) FROM ${name}`])
)

/** Reads all totals of one database. */
export const readTotals = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient
): Effect.fn.Return<StoreTotals, SqlError.SqlError> {
  const found = new Map<string, string>()
  for (const [what, question] of Object.entries({ ...counts, ...sums })) {
    const [row] = yield* sql.unsafe(question).values
    found.set(what, String(row?.[0]))
  }
  return found
})

/** Fails with the first total that differs between the source and the target. */
export const requireEqualTotals = (source: StoreTotals, target: StoreTotals) => {
  for (const [what, there] of source) {
    const here = String(target.get(what))
    if (here !== there) {
      return Effect.fail(copyError(reasons.Different.make({ what, source: there, target: here })))
    }
  }
  return Effect.void
}

/**
 * The different values of a column, found by leaps through an index: a value that many rows share
 * costs no more than a value of one row.
 */
import type { SqlClient, Statement } from "effect/sql"

/** What to leap through: the column behind the columns of the condition in an index of `work`. */
interface LooseScan {
  readonly column: "lane_hash" | "workspace_id"
  readonly where: Statement.Fragment
  /** The value to begin after. Those up to it come last. */
  readonly after: Statement.Fragment
  /** The most values on either side of the beginning. */
  readonly max: Statement.Fragment
}

/** A query of one column `value`, beginning in the middle and wrapping round. */
export const looseScan = (
  sql: SqlClient.SqlClient,
  { after, column, max, where }: LooseScan
): Statement.Fragment => {
  const value = sql(column)
  // One lower bound for each leap: of two, Postgres may begin at the one that is further away.
  const leaps = (
    name: "earlier" | "later",
    { first, next }: { readonly first: Statement.Fragment; readonly next: Statement.Fragment }
  ) => {
    const from = sql(name)
    return sql`${from} (value, leaps) AS (
      SELECT min(${value}), 1 FROM verbatim_work WHERE ${where} AND ${first}
      UNION ALL
      SELECT (SELECT min(${value}) FROM verbatim_work
        WHERE ${where} AND ${value} > ${from}.value AND ${next}), leaps + 1
      FROM ${from} WHERE value IS NOT NULL AND leaps < ${max})`
  }
  const isUpTo = sql`${value} <= ${after}`
  return sql`
    WITH RECURSIVE ${leaps("later", { first: sql`${value} > ${after}`, next: sql`TRUE` })},
    ${leaps("earlier", { first: isUpTo, next: isUpTo })}
    SELECT value FROM later WHERE value IS NOT NULL
    UNION ALL SELECT value FROM earlier WHERE value IS NOT NULL`
}

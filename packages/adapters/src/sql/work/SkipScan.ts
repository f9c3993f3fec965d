/**
 * Finds a column's distinct values with a skip scan through an index. The cost per value does not
 * depend on the number of rows with that value.
 */
import type { SqlClient, Statement } from "effect/sql"

/** The column to scan, which must follow the condition's columns in an index on `work`. */
interface SkipScan {
  readonly column: "lane_hash" | "workspace_id"
  readonly where: Statement.Fragment
  /** The value after which the scan starts. The values up to and including this value come last. */
  readonly after: Statement.Fragment
  /** The maximum number of values to read on each side of the start. */
  readonly max: Statement.Fragment
}

/**
 * Builds a query with one column, `value`. The query starts in the middle of the values and
 * continues from the beginning.
 */
export const buildSkipScan = (
  sql: SqlClient.SqlClient,
  { after, column, max, where }: SkipScan
): Statement.Fragment => {
  const value = sql(column)
  // Each step has only one lower bound, because with two bounds, Postgres might start at the more
  // distant bound.
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

/**
 * Counts a workspace's presets without reading them, because counting 100,000 rows takes 10 ms,
 * which is longer than reading a page of fifty presets. When a preset is created or removed, a row
 * is added, and these rows are summed up at intervals.
 */
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Row } from "../row/Row.ts"
import type { RowReads } from "../row/RowReads.ts"

/**
 * How many presets a process creates between two sums, so that each creation bears a fiftieth of
 * the cost.
 */
export const sumEvery = 50

/** Maximum number of rows that are summed up at a time. */
const sumMax = 1_000

/** Returns a query for the number of a workspace's presets, as `total`. */
export const buildTotal = (
  sql: SqlClient.SqlClient,
  workspaceId: unknown
): Statement.Statement<Row> =>
  sql<Row>`SELECT CAST(COALESCE(SUM(change), 0) AS BIGINT) AS total
    FROM verbatim_preset_counts WHERE workspace_id = ${workspaceId}`

/**
 * The clause after an inserted row, which is needed because there is already a row if the id of a
 * preset is reused.
 */
export const addChange = `ON CONFLICT (workspace_id, id)
  DO UPDATE SET change = verbatim_preset_counts.change + excluded.change`

/** Adds a row, in the transaction that creates or removes a preset. */
export const count = (
  sql: SqlClient.SqlClient,
  preset: { readonly workspaceId: unknown; readonly id: unknown; readonly change: number }
) => {
  const { change, id, workspaceId } = preset
  const row = { workspace_id: workspaceId, id, change }
  return sql`INSERT INTO verbatim_preset_counts ${sql.insert(row)} ${sql.literal(addChange)}`
}

/**
 * Sums up a workspace's rows in a separate transaction, because other writers wait for the locks of
 * that transaction.
 */
export const sumUp = (
  sql: SqlClient.SqlClient,
  { passingLocked, workspaceId }: Pick<RowReads, "passingLocked"> & { readonly workspaceId: string }
) =>
  Effect.gen(function* () {
    const own = sql`workspace_id = ${workspaceId}`
    const rows = yield* sql<{ readonly id: string; readonly change: number }>`
      DELETE FROM verbatim_preset_counts WHERE ${own} AND id IN (
        SELECT id FROM verbatim_preset_counts WHERE ${own}
        LIMIT ${sumMax} ${sql.literal(passingLocked)})
      RETURNING id, change`
    const [first] = rows
    if (first === undefined) return
    const change = rows.reduce((sum, row) => sum + row.change, 0)
    yield* count(sql, { workspaceId, id: first.id, change })
  }).pipe(sql.withTransaction)

/**
 * The one way in which a balance changes: together with a line in the ledger, and once for each
 * credit and each job.
 */
import { BalanceMillis } from "@verbatim/core/workspace/Balance"
import type { WorkspaceId } from "@verbatim/core/workspace/Workspace"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type Row, reading } from "./Row.ts"

/** A line to be. */
export interface Booking {
  readonly workspaceId: WorkspaceId
  /** The column, and the id in it, by which it is known again. */
  readonly column: "credit_id" | "job_id"
  readonly id: string
  /** Negative when it is taken. */
  readonly millis: number
  readonly at: DateTime.Utc
}

/** Reads a stored number of milliseconds. */
export const readMillis = reading(BalanceMillis)

const balance = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: WorkspaceId) {
  const [row] = yield* sql<Row>`SELECT balance_millis FROM workspaces WHERE id = ${id}`
  return row === undefined
    ? Option.none()
    : Option.some(yield* readMillis(row.balance_millis, `balance of ${id}`))
})

/**
 * Books, inside the caller's transaction, unless it was booked before. Returns the balance then;
 * none, and nothing booked, when there is no such workspace.
 */
export const book = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { at, column, id, millis, workspaceId }: Booking
): Effect.fn.Return<Option.Option<BalanceMillis>, SqlError.SqlError> {
  const before = yield* balance(sql, workspaceId)
  if (Option.isNone(before)) return before
  const row = {
    workspace_id: workspaceId,
    [column]: id,
    millis,
    at: DateTime.toEpochMillis(at)
  }
  const booked = yield* sql`INSERT INTO ledger ${sql.insert(row)}
    ON CONFLICT (${sql(column)}) DO NOTHING RETURNING entry`
  if (booked.length === 0) return before
  yield* sql`UPDATE workspaces SET balance_millis = balance_millis + ${millis}
    WHERE id = ${workspaceId}`
  return yield* balance(sql, workspaceId)
})

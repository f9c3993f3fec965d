/**
 * The one way in which a balance changes: together with a line in the ledger, and once for each
 * credit and each job.
 */
import { BalanceMillis } from "@verbatim/core/domain/workspace/Balance"
import type { WorkspaceId } from "@verbatim/core/domain/workspace/Workspace"
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

const entryOf = ({ at, column, id, millis, workspaceId }: Booking) => ({
  workspace_id: workspaceId,
  [column]: id,
  millis,
  at: DateTime.toEpochMillis(at)
})

/** Each step is a statement of the caller's transaction. */
const bookInSteps = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  booking: Booking
): Effect.fn.Return<Option.Option<BalanceMillis>, SqlError.SqlError> {
  const { column, millis, workspaceId } = booking
  const before = yield* balance(sql, workspaceId)
  if (Option.isNone(before)) return before
  const booked = yield* sql`INSERT INTO ledger ${sql.insert(entryOf(booking))}
    ON CONFLICT (${sql(column)}) DO NOTHING RETURNING entry`
  if (booked.length === 0) return before
  yield* sql`UPDATE workspaces SET balance_millis = balance_millis + ${millis}
    WHERE id = ${workspaceId}`
  return yield* balance(sql, workspaceId)
})

/** One statement, where a query may write. What was booked before adds nothing. */
const bookAtOnce = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { at, column, id, millis, workspaceId }: Booking
): Effect.fn.Return<Option.Option<BalanceMillis>, SqlError.SqlError> {
  const [row] = yield* sql<Row>`
    WITH booked AS (
      INSERT INTO ledger (workspace_id, ${sql(column)}, millis, at)
      SELECT id, ${id}, ${millis}, ${DateTime.toEpochMillis(at)}
      FROM workspaces WHERE id = ${workspaceId}
      ON CONFLICT (${sql(column)}) DO NOTHING RETURNING millis)
    UPDATE workspaces
    SET balance_millis = balance_millis + COALESCE((SELECT millis FROM booked), 0)
    WHERE id = ${workspaceId} RETURNING balance_millis`
  return row === undefined
    ? Option.none()
    : Option.some(yield* readMillis(row.balance_millis, `balance of ${workspaceId}`))
})

/**
 * Books, inside the caller's transaction, unless it was booked before. Returns the balance then;
 * none, and nothing booked, when there is no such workspace.
 */
export const book = (
  sql: SqlClient.SqlClient,
  booking: Booking
): Effect.Effect<Option.Option<BalanceMillis>, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () => bookAtOnce(sql, booking),
    orElse: () => bookInSteps(sql, booking)
  })

/**
 * A booking, step by step.
 */
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import type { Row } from "../../sql/row/Row.ts"
import {
  type Book,
  type Booking,
  makeBook,
  readMillis,
  type TryBook
} from "../../sql/workspace/Ledger.ts"

const balance = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: WorkspaceId) {
  const [row] = yield* sql<Row>`SELECT balance_millis FROM verbatim_workspaces WHERE id = ${id}`
  return row === undefined
    ? Option.none()
    : Option.some(yield* readMillis(row.balance_millis, `balance of ${id}`))
})

const entryOf = ({ at, column, id, keyId, millis, workspaceId }: Booking) => ({
  workspace_id: workspaceId,
  key_id: keyId,
  [column]: id,
  millis,
  at: DateTime.toEpochMillis(at)
})

const tryBook: TryBook = Effect.fnUntraced(function* (sql, booking) {
  const { column, millis, workspaceId } = booking
  const before = yield* balance(sql, workspaceId)
  if (Option.isNone(before)) return Option.none()
  const booked = yield* sql`INSERT INTO verbatim_ledger ${sql.insert(entryOf(booking))}
    ON CONFLICT (${sql(column)}) DO NOTHING RETURNING entry`
  if (booked.length === 0) return Option.some({ balanceMillis: before.value, isBooked: false })
  yield* sql`UPDATE verbatim_workspaces SET balance_millis = balance_millis + ${millis}
    WHERE id = ${workspaceId}`
  const after = yield* balance(sql, workspaceId)
  return Option.map(after, (balanceMillis) => ({ balanceMillis, isBooked: true }))
})

/** Each step is a statement of the caller's transaction. */
export const book: Book = makeBook(tryBook)

/** A booking as one statement, because Postgres allows writes inside a query. */
import { DateTime, Effect, Option } from "effect"
import type { Row } from "../../sql/row/Row.ts"
import { type Book, makeBook, readMillis, type TryBook } from "../../sql/workspace/Ledger.ts"

const tryBook: TryBook = Effect.fnUntraced(function* (
  sql,
  { at, column, id, keyId, millis, workspaceId }
) {
  const [row] = yield* sql<Row>`
    WITH booked AS (
      INSERT INTO verbatim_ledger (workspace_id, ${sql(column)}, key_id, millis, at)
      SELECT id, ${id}, ${keyId}, ${millis}, ${DateTime.toEpochMillis(at)}
      FROM verbatim_workspaces WHERE id = ${workspaceId}
      ON CONFLICT (${sql(column)}) DO NOTHING RETURNING millis)
    UPDATE verbatim_workspaces
    SET balance_millis = balance_millis + COALESCE((SELECT millis FROM booked), 0)
    WHERE id = ${workspaceId}
    RETURNING balance_millis, EXISTS (SELECT 1 FROM booked) AS is_booked`
  if (row === undefined) return Option.none()
  const balanceMillis = yield* readMillis(row.balance_millis, `balance of ${workspaceId}`)
  return Option.some({ balanceMillis, isBooked: row.is_booked === true })
})

/** Books, unless it was booked before; then nothing is added. */
export const book: Book = makeBook(tryBook)

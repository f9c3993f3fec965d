/** A booking as one statement, because Postgres allows writes inside a query. */
import { DateTime, Effect, Option } from "effect"
import type { Row } from "../../sql/row/Row.ts"
import { type Book, readMillis } from "../../sql/workspace/Ledger.ts"

/** Books, unless it was booked before; then nothing is added. */
export const book: Book = Effect.fnUntraced(function* (
  sql,
  { at, column, id, keyId, millis, workspaceId }
) {
  const [row] = yield* sql<Row>`
    WITH booked AS (
      INSERT INTO ledger (workspace_id, ${sql(column)}, key_id, millis, at)
      SELECT id, ${id}, ${keyId}, ${millis}, ${DateTime.toEpochMillis(at)}
      FROM workspaces WHERE id = ${workspaceId}
      ON CONFLICT (${sql(column)}) DO NOTHING RETURNING millis)
    UPDATE workspaces
    SET balance_millis = balance_millis + COALESCE((SELECT millis FROM booked), 0)
    WHERE id = ${workspaceId} RETURNING balance_millis`
  return row === undefined
    ? Option.none()
    : Option.some(yield* readMillis(row.balance_millis, `balance of ${workspaceId}`))
})

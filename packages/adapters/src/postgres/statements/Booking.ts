/** A booking as one statement, because Postgres allows writes inside a query. */
import { DateTime, Effect, Option } from "effect"
import type { Row } from "../../sql/row/Row.ts"
import { type Book, readMillis, uniqueColumns } from "../../sql/workspace/Ledger.ts"

/** Books, unless it was booked before; then nothing is added. */
export const book: Book = Effect.fnUntraced(function* (
  sql,
  { at, column, id, keyId, millis, workspaceId }
) {
  const [row] = yield* sql<Row>`
    WITH booked AS (
      INSERT INTO verbatim_ledger (workspace_id, ${sql(column)}, key_id, millis, at)
      SELECT id, ${id}, ${keyId}, ${millis}, ${DateTime.toEpochMillis(at)}
      FROM verbatim_workspaces WHERE id = ${workspaceId}
      ON CONFLICT (${sql.literal(uniqueColumns[column])}) DO NOTHING RETURNING millis)
    UPDATE verbatim_workspaces
    SET balance_millis = balance_millis + COALESCE((SELECT millis FROM booked), 0)
    WHERE id = ${workspaceId}
    RETURNING balance_millis`
  if (row === undefined) return Option.none()
  return Option.some(yield* readMillis(row.balance_millis, `balance of ${workspaceId}`))
})

/** Books ledger entries in several statements. */
import { DateTime, Effect, Option } from "effect"
import type { Row } from "../../sql/row/Row.ts"
import { type Book, type Booking, readMillis, uniqueColumns } from "../../sql/workspace/Ledger.ts"

const entryOf = ({ at, column, id, keyId, millis, workspaceId }: Booking) => ({
  workspace_id: workspaceId,
  key_id: keyId,
  [column]: id,
  millis,
  at: DateTime.toEpochMillis(at)
})

/** Books an entry with statements of the caller's transaction. */
export const book: Book = Effect.fnUntraced(function* (sql, booking) {
  const { column, millis, workspaceId } = booking
  const balance = sql<Row>`SELECT balance_millis FROM verbatim_workspaces WHERE id = ${workspaceId}`
  if ((yield* balance).length === 0) return Option.none()
  const booked = yield* sql`INSERT INTO verbatim_ledger ${sql.insert(entryOf(booking))}
    ON CONFLICT (${sql.literal(uniqueColumns[column])}) DO NOTHING RETURNING entry`
  if (booked.length > 0) {
    yield* sql`UPDATE verbatim_workspaces SET balance_millis = balance_millis + ${millis}
      WHERE id = ${workspaceId}`
  }
  const [row] = yield* balance
  return Option.some(yield* readMillis(row?.balance_millis, `balance of ${workspaceId}`))
})

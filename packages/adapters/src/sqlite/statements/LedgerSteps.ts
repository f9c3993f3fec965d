/** Adds ledger entries, with several statements for each. */
import { DateTime, Effect, Option } from "effect"
import type { Row } from "../../sql/row/Row.ts"
import {
  type AddEntry,
  type LedgerEntry,
  readMillis,
  uniqueColumns
} from "../../sql/workspace/Ledger.ts"

const toRow = ({ at, column, id, keyId, millis, work, workspaceId }: LedgerEntry) => ({
  workspace_id: workspaceId,
  key_id: keyId,
  [column]: id,
  millis,
  at: DateTime.toEpochMillis(at),
  recognised: work.recognised,
  reused: work.reused,
  engine_millis: work.engineMillis
})

/** Adds an entry with several statements, in the caller's transaction. */
export const addEntry: AddEntry = Effect.fnUntraced(function* (sql, entry) {
  const { column, millis, workspaceId } = entry
  const balance = sql<Row>`SELECT balance_millis FROM verbatim_workspaces WHERE id = ${workspaceId}`
  if ((yield* balance).length === 0) return Option.none()
  const added = yield* sql`INSERT INTO verbatim_ledger ${sql.insert(toRow(entry))}
    ON CONFLICT (${sql.literal(uniqueColumns[column])}) DO NOTHING RETURNING entry`
  if (added.length > 0) {
    yield* sql`UPDATE verbatim_workspaces SET balance_millis = balance_millis + ${millis}
      WHERE id = ${workspaceId}`
  }
  const [row] = yield* balance
  return Option.some(yield* readMillis(row?.balance_millis, `balance of ${workspaceId}`))
})

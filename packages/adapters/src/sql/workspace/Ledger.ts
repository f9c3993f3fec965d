/**
 * Changes balances. Each change has a ledger entry, and each credit or job changes a balance only
 * once.
 */

import type { PieceWork } from "@verbatim/core/transcription"
import { type ApiKeyId, BalanceMillis, type WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"

/**
 * A ledger entry to add. If adding it is retried, the entry names the same workspace and the same
 * credit or job.
 */
export interface LedgerEntry {
  readonly workspaceId: WorkspaceId
  readonly column: "credit_id" | "job_id"
  readonly id: string
  /** The key that requested the job; null for a credit. */
  readonly keyId: ApiKeyId | null
  /** The amount in milliseconds, negative for a charge. */
  readonly millis: number
  /** The charged job's work; zero for a credit. */
  readonly work: PieceWork
  readonly at: DateTime.Utc
}

/** The columns that make a ledger entry unique. */
const uniqueColumns = { credit_id: "workspace_id, credit_id", job_id: "job_id" } as const

/** Reads a stored number of milliseconds. */
export const readMillis = makeReader(BalanceMillis)

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

/**
 * Adds an entry in the caller's transaction, unless the ledger already contains it, and returns the
 * resulting balance. If the workspace does not exist, adds nothing and returns none.
 */
export const addEntry = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  entry: LedgerEntry
): Effect.fn.Return<Option.Option<BalanceMillis>, SqlError.SqlError> {
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

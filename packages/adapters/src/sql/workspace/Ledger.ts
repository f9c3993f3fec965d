/** Changes balances. Each change has a ledger entry, and is made only once per credit or job. */

import type { PieceWork } from "@verbatim/core/transcription"
import { type ApiKeyId, BalanceMillis, type WorkspaceId } from "@verbatim/core/workspace"
import type { DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { makeReader } from "../row/Row.ts"

/**
 * An entry to add. A repeated entry has the id of the same credit in its workspace, or of the same
 * job.
 */
export interface LedgerEntry {
  readonly workspaceId: WorkspaceId
  readonly column: "credit_id" | "job_id"
  readonly id: string
  /** The key that requested the job; null for a credit. */
  readonly keyId: ApiKeyId | null
  /** The amount in milliseconds, negative for a charge. */
  readonly millis: number
  /** The work of the charged job; zero for a credit. */
  readonly work: PieceWork
  readonly at: DateTime.Utc
}

/**
 * Adds an entry in the caller's transaction, unless the ledger already contains it. Returns the
 * resulting balance, or adds nothing and returns none if the workspace does not exist.
 */
export type AddEntry = (
  sql: SqlClient.SqlClient,
  entry: LedgerEntry
) => Effect.Effect<Option.Option<BalanceMillis>, SqlError.SqlError>

/** The columns that make a ledger entry unique. */
export const uniqueColumns = { credit_id: "workspace_id, credit_id", job_id: "job_id" } as const

/** Reads a stored number of milliseconds. */
export const readMillis = makeReader(BalanceMillis)

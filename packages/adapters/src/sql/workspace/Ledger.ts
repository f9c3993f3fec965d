/**
 * The one way in which a balance changes: together with a line in the ledger, and once for each
 * credit and each job.
 */

import { type ApiKeyId, BalanceMillis, type WorkspaceId } from "@verbatim/core/workspace"
import type { DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { reading } from "../row/Row.ts"

/** A line to add. A repeat has the id of the same credit in its workspace, or of the same job. */
export interface Booking {
  readonly workspaceId: WorkspaceId
  readonly column: "credit_id" | "job_id"
  readonly id: string
  /** The key that asked for the job; null for a credit. */
  readonly keyId: ApiKeyId | null
  /** Negative when minutes are taken. */
  readonly millis: number
  readonly at: DateTime.Utc
}

/**
 * Books, inside the caller's transaction, unless it was booked before. Returns the balance after
 * it; none, and nothing booked, when there is no such workspace.
 */
export type Book = (
  sql: SqlClient.SqlClient,
  booking: Booking
) => Effect.Effect<Option.Option<BalanceMillis>, SqlError.SqlError>

/** The columns of the ledger that have each id once. */
export const uniqueColumns = { credit_id: "workspace_id, credit_id", job_id: "job_id" } as const

/** Reads a stored number of milliseconds. */
export const readMillis = reading(BalanceMillis)

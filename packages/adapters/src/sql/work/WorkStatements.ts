/**
 * How a database gives out work, and how the leases on it change.
 */
import type { JobId } from "@verbatim/core/attempt"
import type { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { ClaimRequest, Claims } from "./Claim.ts"

/** Leases the due work that is chosen. */
export type Claim = (request: ClaimRequest) => Effect.Effect<Claims, SqlError.SqlError>

/** What identifies a lease, and what a renewal reports. */
export interface HeldLease {
  readonly jobId: JobId
  readonly token: string
  /** In thousandths. */
  readonly progress?: number | undefined
}

/** A lease that was held when the statement began. */
export interface FoundLease {
  readonly job_id: JobId
  /** Otherwise it was locked by somebody, who may be ending it. */
  readonly is_changed: boolean
}

/** A database's own statements about work. */
export interface WorkStatements {
  /** Made once for a queue: it remembers whose turn is next. */
  readonly makeClaim: (sql: SqlClient.SqlClient) => Claim
  /**
   * Changes those leases that are held, in terms of `work` and `held (job_id, token, progress)`, in
   * one statement, which waits for nobody: one row that somebody has locked would otherwise cost
   * all of them.
   */
  readonly changeLeases: (
    sql: SqlClient.SqlClient,
    leases: ReadonlyArray<HeldLease>,
    changes: Statement.Fragment
  ) => Effect.Effect<ReadonlyArray<FoundLease>, SqlError.SqlError>
}

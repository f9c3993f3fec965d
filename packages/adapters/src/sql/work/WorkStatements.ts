/** Defines work statements that differ between databases: claims and changes to leases. */
import type { JobId } from "@verbatim/core/attempt"
import type { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { ClaimRequest, Claims } from "./Claim.ts"

/** Chooses from the due work, and leases the chosen work. */
export type Claim = (request: ClaimRequest) => Effect.Effect<Claims, SqlError.SqlError>

/** The identity of a lease, and the progress that a renewal reports. */
export interface HeldLease {
  readonly jobId: JobId
  readonly token: string
  /** The progress in thousandths. */
  readonly progress?: number | undefined
}

/** A lease that was held when the statement began. */
export interface FoundLease {
  readonly job_id: JobId
  /**
   * Whether the lease was changed. If not, another transaction has locked the lease, and may be
   * ending it.
   */
  readonly is_changed: boolean
}

/** Work statements for one database. */
export interface WorkStatements {
  /**
   * Creates the claim function. The function is created once per queue, because the function
   * remembers where the next claim begins.
   */
  readonly makeClaim: (sql: SqlClient.SqlClient) => Claim
  /**
   * Changes the leases that are held. The SQL fragment with the changes can refer to `work` and
   * `held (job_id, token, progress)`. The statement never waits for a lock, because otherwise a
   * single locked row would delay all leases.
   */
  readonly changeLeases: (
    sql: SqlClient.SqlClient,
    leases: ReadonlyArray<HeldLease>,
    changes: Statement.Fragment
  ) => Effect.Effect<ReadonlyArray<FoundLease>, SqlError.SqlError>
}

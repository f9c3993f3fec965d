/** Work statements that differ between databases: claims and changes of leases. */
import type { JobId } from "@verbatim/core/attempt"
import type { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { ClaimRequest, Claims } from "./Claim.ts"

/** Leases the due work that is chosen. */
export type Claim = (request: ClaimRequest) => Effect.Effect<Claims, SqlError.SqlError>

/** The identity of a lease, and the progress that a renewal reports. */
export interface HeldLease {
  readonly jobId: JobId
  readonly token: string
  /** In thousandths. */
  readonly progress?: number | undefined
}

/** A lease that was held when the statement began. */
export interface FoundLease {
  readonly job_id: JobId
  /** If false, another transaction has locked it and may be ending it. */
  readonly is_changed: boolean
}

/** Work statements of one database. */
export interface WorkStatements {
  /** Made once per queue: it remembers where the next claim begins. */
  readonly makeClaim: (sql: SqlClient.SqlClient) => Claim
  /**
   * Changes the leases that are held, with a fragment in terms of `work` and `held (job_id, token,
   * progress)`. One statement that waits for no lock: a single locked row would otherwise delay all
   * of them.
   */
  readonly changeLeases: (
    sql: SqlClient.SqlClient,
    leases: ReadonlyArray<HeldLease>,
    changes: Statement.Fragment
  ) => Effect.Effect<ReadonlyArray<FoundLease>, SqlError.SqlError>
}

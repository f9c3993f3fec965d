/**
 * Defines all statements that differ between databases. Statements that all databases share are in
 * the stores. To support another database, implement this service for that database.
 */

import type { JobId } from "@verbatim/core/attempt"
import { Context, type Effect, Layer, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { JobStatements } from "./job/JobStatements.ts"
import type { SchemaStatements } from "./migration/Migration.ts"
import type { ChangedLabels } from "./preset/LabelRows.ts"
import type { RowReads } from "./row/RowStatements.ts"
import type { LockedTransaction, StoreTime } from "./session/Sessions.ts"
import type { ClaimRequest, Claims } from "./work/Claim.ts"

/** The statements for one database, provided by the layer of the database's client. */
export class Statements extends Context.Service<
  Statements,
  {
    readonly time: StoreTime
    readonly reads: RowReads
    readonly exclusive: LockedTransaction
    /**
     * Runs a transaction that can run concurrently with other shared transactions of the same name,
     * but not while an exclusive one runs.
     */
    readonly shared: LockedTransaction
    readonly jobs: JobStatements
    readonly work: WorkStatements
    readonly presets: PresetStatements
    readonly schema: SchemaStatements["Service"]
  }
>()("@verbatim/adapters/sql/Statements") {}

/** Provides a client that is closed when the layer is released. */
export const clientLayer = <E>(
  client: Effect.Effect<SqlClient.SqlClient, E, Scope.Scope | Reactivity.Reactivity>,
  statements: Statements["Service"]
): Layer.Layer<SqlClient.SqlClient | Statements, E> =>
  Layer.effect(SqlClient.SqlClient)(client).pipe(
    Layer.provide(Reactivity.layer),
    Layer.merge(Layer.succeed(Statements)(statements))
  )

/** Preset statements for one database. */
export interface PresetStatements {
  /**
   * Whether one of the changed labels is protected now, even if the transaction reads an older
   * snapshot. Runs under a lock that prevents other transactions from protecting a label, so the
   * result is valid until the commit.
   */
  readonly isAnyProtected: (
    sql: SqlClient.SqlClient,
    taken: ChangedLabels
  ) => Effect.Effect<boolean, SqlError.SqlError>
  /**
   * Whether a column matches a LIKE pattern, with `!` as the escape character. Case is ignored only
   * for ASCII letters.
   */
  readonly isLike: (
    sql: SqlClient.SqlClient,
    match: { readonly column: string; readonly pattern: string }
  ) => Statement.Fragment
}

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
   * Creates the claim function, once per queue, because it remembers where the next claim begins.
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

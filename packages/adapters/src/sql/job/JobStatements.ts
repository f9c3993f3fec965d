/**
 * Job statements that differ between databases. On Postgres, each operation is one statement that
 * concurrent callers share; on SQLite, each operation is a series of steps.
 */
import type { IdempotencyRecord } from "@verbatim/core/job"
import type { Commit, Creation, JobStoreError } from "@verbatim/core/ports"
import type { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/**
 * The earlier record with the same idempotency key as a new job, or none if the new job was
 * written.
 */
type EarlierRecord = Option.Option<IdempotencyRecord>

/** Writes a new job. Fails with `Superseded` if a job with the same id exists. */
export type Insert = (
  creation: Creation
) => Effect.Effect<EarlierRecord, SqlError.SqlError | JobStoreError>

/**
 * Writes a commit with the chunks of its transcript in one transaction. Returns `false` if the
 * revision or the lease has changed.
 */
export type WriteCommit = (
  commit: Commit,
  chunks: ReadonlyArray<string>
) => Effect.Effect<boolean, SqlError.SqlError | JobStoreError>

/** Job statements for one database. Each statement is created once per store. */
export interface JobStatements {
  /** The ordinal that marks the end of the feed. No later commit gets a lower ordinal. */
  readonly feedEnd: (sql: SqlClient.SqlClient) => Statement.Fragment
  /** Reserves the next position in the feed in the caller's transaction. */
  readonly nextOrdinal: (
    sql: SqlClient.SqlClient
  ) => Effect.Effect<Statement.Fragment, SqlError.SqlError>
  /**
   * Selects the `job_id` of up to `limit` transcripts with all these words, in any order, through
   * the word index.
   */
  readonly findByWords: (
    sql: SqlClient.SqlClient,
    words: ReadonlyArray<string>,
    limit: number
  ) => Statement.Fragment
  readonly makeInsert: (sql: SqlClient.SqlClient) => Insert
  readonly makeCommit: (sql: SqlClient.SqlClient) => Effect.Effect<WriteCommit>
}

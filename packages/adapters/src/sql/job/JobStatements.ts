/**
 * What each database writes and reads of jobs in its own way: on a server each of them is one round
 * trip, shared by those who ask at the same time; a file is written in steps.
 */
import type { JobId } from "@verbatim/core/attempt"
import type { IdempotencyRecord } from "@verbatim/core/job"
import type { Commit, Creation, JobStoreError } from "@verbatim/core/ports"
import type { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { StoreTime } from "../session/Sessions.ts"

/** The record that stands for the key of a creation; none when the creation was written. */
export type Earlier = Option.Option<IdempotencyRecord>

/** Writes a creation. It fails as superseded when there is a job with that id. */
export type Insert = (
  creation: Creation
) => Effect.Effect<Earlier, SqlError.SqlError | JobStoreError>

/**
 * Writes a commit, in one transaction, with the pieces of its transcript; `false` when the revision
 * or the lease is a different one.
 */
export type WriteCommit = (
  commit: Commit,
  chunks: ReadonlyArray<string>
) => Effect.Effect<boolean, SqlError.SqlError | JobStoreError>

/** The pieces of a job's transcript; none when it has none. */
export type ReadPieces = (id: JobId) => Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>

/** A job that was deleted, as it was. */
export interface DeletedRow {
  readonly id: JobId
  readonly state: string
}

/** Which jobs are deleted. */
interface Deletion {
  /** In terms of `jobs`. */
  readonly which: Statement.Fragment
  readonly time: StoreTime
}

/**
 * Deletes jobs with everything that is theirs, and writes into the feed that they were, in one
 * transaction.
 */
export type DeleteJobs = (
  sql: SqlClient.SqlClient,
  deletion: Deletion
) => Effect.Effect<ReadonlyArray<DeletedRow>, SqlError.SqlError>

/** Each is made once for a store. */
export interface JobStatements {
  /** The ordinal at which the feed ends: nothing is committed before it any more. */
  readonly feedEnd: (sql: SqlClient.SqlClient) => Statement.Fragment
  readonly deleteJobs: DeleteJobs
  readonly makeInsert: (sql: SqlClient.SqlClient) => Insert
  readonly makeCommit: (sql: SqlClient.SqlClient) => Effect.Effect<WriteCommit>
  readonly makeReadPieces: (sql: SqlClient.SqlClient) => ReadPieces
}

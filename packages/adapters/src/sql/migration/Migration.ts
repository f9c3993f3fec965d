/**
 * Defines migrations. After each step, the previous version can still use the tables, so a process
 * can end between any two steps.
 */
import { Context, type Effect, type Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { TableSyntax } from "../StoreTables.ts"
import type { MigrationError } from "./MigrationError.ts"

/** Services that a step can use. */
type StepServices = SchemaStatements | SqlClient.SqlClient

/** A step that builds an index. */
export interface IndexStep extends Index {
  readonly _tag: "Index"
}

/** Statements that take effect either together or not at all. */
export interface StatementsStep {
  readonly _tag: "Statements"
  readonly run: Effect.Effect<unknown, SqlError.SqlError, StepServices>
}

/**
 * Statements that change a limited number of rows at a time, and return whether there may be more
 * rows to change.
 */
export interface BatchesStep {
  readonly _tag: "Batches"
  readonly run: Effect.Effect<boolean, SqlError.SqlError, StepServices>
}

/** One step of a migration. */
export type Step = BatchesStep | IndexStep | StatementsStep

/** A migration, permanently identified by its number. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly steps: ReadonlyArray<Step>
  /**
   * Once this migration has begun, only code that knows the migration with the number given here
   * can keep running. A migration that only adds something does not need this number.
   */
  readonly compatibleSince?: number
}

/**
 * Runs statements in one transaction. The statements wait up to a second for a lock, and block all
 * later statements during the wait. If they do not get the lock, they are retried later. No
 * statement may hold locks for long.
 */
export const statements = (run: StatementsStep["run"]): Step => ({ _tag: "Statements", run })

/**
 * Runs statements for many rows, in one transaction after another, until the statements report that
 * no rows are left. After a crash, the batches start from the beginning, so a batch that is run
 * again must find nothing to do. Batches of a thousand rows are short enough not to delay other
 * work.
 */
export const batches = (run: BatchesStep["run"]): Step => ({ _tag: "Batches", run })

/** Builds an index on a table that may be large and in use, without delaying other statements. */
export const index = (name: string, on: Index["on"]): Step => ({ _tag: "Index", name, on })

type Sql = SqlClient.SqlClient

/** Schema statements that differ between databases. */
export class SchemaStatements extends Context.Service<
  SchemaStatements,
  {
    readonly syntax: TableSyntax
    readonly hasTable: (sql: Sql, table: string) => Effect.Effect<boolean, SqlError.SqlError>
    /**
     * Returns which of these names are already taken in the location where tables would be created.
     */
    readonly findTaken: (
      sql: Sql,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
    /**
     * Returns the database's identity, which differs from that of any copy with the same rows, such
     * as a restored dump or a copied file. The identity stays the same if the database is renamed
     * or the server is restarted.
     */
    readonly identify: (sql: Sql) => Effect.Effect<string, SqlError.SqlError>
    /** Describes where tables are created, as a phrase for a message to the operator. */
    readonly describeLocation: (sql: Sql) => Effect.Effect<string, SqlError.SqlError>
    /** Creates the schema for the tables if its name is known and it does not exist yet. */
    readonly createHomeSchema: (sql: Sql) => Effect.Effect<void, MigrationError | SqlError.SqlError>
    /**
     * Locks the migration records for the rest of the transaction, so that no other process records
     * a step. The records can still be read.
     */
    readonly lockRecords: (sql: Sql) => Effect.Effect<unknown, SqlError.SqlError>
    /** Makes the database assign the ordinals of commits, if the database supports this. */
    readonly countCommits: (sql: Sql) => Effect.Effect<unknown, SqlError.SqlError>
    readonly makeRunner: (sql: Sql) => MigrationRunner
  }
>()("@verbatim/adapters/sql/SchemaStatements") {}

/** An index to build. Its name and definition are enough to build it again. */
interface Index {
  readonly name: string
  /** The part of CREATE INDEX after ON: the table, and the columns in parentheses. */
  readonly on: (sql: SqlClient.SqlClient) => Statement.Fragment
}

/** Runs migration steps on one database. */
export interface MigrationRunner {
  /** Runs a migration effect while no other process does. Returns none if nothing is left to do. */
  readonly runExclusively: <A, E>(
    work: Effect.Effect<A, E>,
    isDone: Effect.Effect<boolean, E>
  ) => Effect.Effect<Option.Option<A>, E | MigrationError | SqlError.SqlError>
  /** Runs a transaction that waits at most a second for each of its locks. */
  readonly transaction: <A, E, R>(
    self: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | SqlError.SqlError, R>
  /**
   * Runs the part of building an index that comes before the transaction that records the index.
   */
  readonly indexBefore: (index: Index) => Effect.Effect<void, SqlError.SqlError>
  /** Runs the part of building an index that belongs to the transaction that records the index. */
  readonly indexWithin: (index: Index) => Effect.Effect<void, SqlError.SqlError>
}

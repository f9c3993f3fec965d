/**
 * Defines migrations. Each step is complete in itself, so that a process can die between two steps,
 * and the previous version can keep running on the resulting tables.
 */
import { Context, type Effect, type Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { TableSyntax } from "../StoreTables.ts"
import type { MigrationError } from "./MigrationError.ts"

/** Services that a step can use. */
type StepServices = SchemaStatements | SqlClient.SqlClient

/** An index to build. */
export interface IndexStep extends Index {
  readonly _tag: "Index"
}

/** Statements that take effect together or not at all. */
export interface StatementsStep {
  readonly _tag: "Statements"
  readonly run: Effect.Effect<unknown, SqlError.SqlError, StepServices>
}

/** Statements that change some rows at a time, and return whether there may be more. */
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
   * Once this migration has begun, code must know the migration with this number to keep running. A
   * migration that only adds things omits this number, and any code can keep running.
   */
  readonly compatibleSince?: number
}

/**
 * Runs statements in one transaction. The statements wait up to a second for a lock, as does every
 * statement behind them, and are retried later. No statement may take long while it holds a lock.
 */
export const statements = (run: StatementsStep["run"]): Step => ({ _tag: "Statements", run })

/**
 * Runs statements for many rows, in one transaction after another, as long as they return that
 * there may be more. A repeated batch must find nothing to do, because after a crash the batches
 * start again. Batches of a thousand rows do not delay other work.
 */
export const batches = (run: BatchesStep["run"]): Step => ({ _tag: "Batches", run })

/** Builds an index on a table that may be large and in use, without delaying other statements. */
export const index = (name: string, on: Index["on"]): Step => ({ _tag: "Index", name, on })

type Sql = SqlClient.SqlClient

/** Rows as JSON, with the columns that a statement reads from them. */
export interface JsonRows {
  readonly name: string
  readonly json: string
  readonly columns: Readonly<Record<string, "BIGINT" | "INTEGER" | "TEXT">>
}

/** Schema statements that differ between databases. */
export class SchemaStatements extends Context.Service<
  SchemaStatements,
  {
    readonly syntax: TableSyntax
    /** Converts a parameter to rows to join with. */
    readonly fromJson: (sql: Sql, rows: JsonRows) => Statement.Fragment
    readonly hasTable: (sql: Sql, table: string) => Effect.Effect<boolean, SqlError.SqlError>
    /** Returns which of these names are taken where tables would be created. */
    readonly findTaken: (
      sql: Sql,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
    /**
     * Returns an identity that differs from the identity of any copy with the same rows, such as a
     * restored dump or a copied file. The identity stays the same if the database is renamed or the
     * server is restarted.
     */
    readonly identify: (sql: Sql) => Effect.Effect<string, SqlError.SqlError>
    /** Describes where tables are created, as part of a sentence for the operator. */
    readonly describeLocation: (sql: Sql) => Effect.Effect<string, SqlError.SqlError>
    /** Creates the schema for the tables if its name is known and it is missing. */
    readonly createHomeSchema: (sql: Sql) => Effect.Effect<void, MigrationError | SqlError.SqlError>
    /**
     * Locks the migration records for the rest of the transaction, so that no other process records
     * a step. The records can still be read.
     */
    readonly lockRecords: (sql: Sql) => Effect.Effect<unknown, SqlError.SqlError>
    /** Makes the database assign ordinals to job commits, if it can. */
    readonly countCommits: (sql: Sql) => Effect.Effect<unknown, SqlError.SqlError>
    readonly makeRunner: (sql: Sql) => MigrationRunner
  }
>()("@verbatim/adapters/sql/SchemaStatements") {}

/** An index to build. Name and definition are enough to build it again. */
interface Index {
  readonly name: string
  /** The text after ON: the table and, in parentheses, its columns. */
  readonly on: (sql: SqlClient.SqlClient) => Statement.Fragment
}

/** Runs migration steps on one database. */
export interface MigrationRunner {
  /** Runs an effect while no other process runs one. Returns none if nothing is left to do. */
  readonly runExclusively: <A, E>(
    work: Effect.Effect<A, E>,
    isDone: Effect.Effect<boolean, E>
  ) => Effect.Effect<Option.Option<A>, E | MigrationError | SqlError.SqlError>
  /** Runs a transaction that waits at most a second for each of its locks. */
  readonly transaction: <A, E, R>(
    self: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | SqlError.SqlError, R>
  /** Builds an index before the transaction that records it. */
  readonly indexBefore: (index: Index) => Effect.Effect<void, SqlError.SqlError>
  /** Builds an index in the transaction that records it. */
  readonly indexWithin: (index: Index) => Effect.Effect<void, SqlError.SqlError>
}

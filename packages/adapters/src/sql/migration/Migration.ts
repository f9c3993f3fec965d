/**
 * What a migration is: steps that each stand by themselves, so that a program may die between two
 * of them, and the previous version can keep running over the tables as they are then.
 */
import { Context, type Effect, type Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Spelling } from "../StoreTables.ts"
import type { MigrationError } from "./MigrationError.ts"

/** What a step may ask for. */
type Needs = SchemaStatements | SqlClient.SqlClient

/** An index to build. */
export interface IndexStep extends Index {
  readonly _tag: "Index"
}

/** Statements that take effect together, or not at all. */
export interface StatementsStep {
  readonly _tag: "Statements"
  readonly run: Effect.Effect<unknown, SqlError.SqlError, Needs>
}

/** Statements that change some rows at a time, and tell whether there may be more. */
export interface BatchesStep {
  readonly _tag: "Batches"
  readonly run: Effect.Effect<boolean, SqlError.SqlError, Needs>
}

/** One step of a migration. */
export type Step = BatchesStep | IndexStep | StatementsStep

/** A migration, known by its number for good. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly steps: ReadonlyArray<Step>
  /**
   * The last migration that the oldest code knows which may run over the database once this one has
   * begun. Left out by a migration that only adds: then any code may.
   */
  readonly compatibleSince?: number
}

/**
 * Statements in one transaction. They wait a second for a lock, and so do all who come after them,
 * then try again later: so none of them may take long while it holds one.
 */
export const statements = (run: StatementsStep["run"]): Step => ({ _tag: "Statements", run })

/**
 * Statements for many rows, run in one transaction after another for as long as they say that there
 * may be more. A batch that was done before must find nothing to do: after a crash they begin
 * again. Batches of a thousand rows keep nobody waiting.
 */
export const batches = (run: BatchesStep["run"]): Step => ({ _tag: "Batches", run })

/** An index on a table that may be large and in use: nobody waits while it is built. */
export const index = (name: string, on: Index["on"]): Step => ({ _tag: "Index", name, on })

type Sql = SqlClient.SqlClient

/** Rows as JSON, and the columns that a statement reads of them. */
export interface JsonRows {
  readonly name: string
  readonly json: string
  readonly columns: Readonly<Record<string, "BIGINT" | "INTEGER" | "TEXT">>
}

/** What migrations say differently. */
export class SchemaStatements extends Context.Service<
  SchemaStatements,
  {
    readonly spelling: Spelling
    /** Rows that are a parameter, to join with. */
    readonly fromJson: (sql: Sql, rows: JsonRows) => Statement.Fragment
    readonly isThere: (sql: Sql, table: string) => Effect.Effect<boolean, SqlError.SqlError>
    /** Which of these names are taken where a table would be made now. */
    readonly findTaken: (
      sql: Sql,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
    /**
     * What tells the database from a copy of it, with the same rows: a dump that was restored, a
     * file that was copied. It stays when the database is renamed or its server restarts.
     */
    readonly identify: (sql: Sql) => Effect.Effect<string, SqlError.SqlError>
    /** Where tables are made, for a sentence. */
    readonly placeOf: (sql: Sql) => Effect.Effect<string, SqlError.SqlError>
    /** Makes the schema of the tables where it is missing and its name is known. */
    readonly makeHome: (sql: Sql) => Effect.Effect<void, MigrationError | SqlError.SqlError>
    /**
     * Locks the records of migrations for the rest of the transaction, so that no other process
     * writes a step. They can still be read.
     */
    readonly lockRecords: (sql: Sql) => Effect.Effect<unknown, SqlError.SqlError>
    /** Has the database give the commits of jobs their ordinals, where it can by itself. */
    readonly countCommits: (sql: Sql) => Effect.Effect<unknown, SqlError.SqlError>
    readonly turn: (sql: Sql) => Turn
  }
>()("@verbatim/adapters/sql/SchemaStatements") {}

/** An index to build. Its name and what it is on are enough to make it again. */
interface Index {
  readonly name: string
  /** The text after ON: the table and, in parentheses, its columns. */
  readonly on: (sql: SqlClient.SqlClient) => Statement.Fragment
}

/** What runs steps on one database. */
export interface Turn {
  /** Runs an effect while no other process does; none when there is nothing left to do. */
  readonly take: <A, E>(
    work: Effect.Effect<A, E>,
    isOver: Effect.Effect<boolean, E>
  ) => Effect.Effect<Option.Option<A>, E | MigrationError | SqlError.SqlError>
  /** A transaction that waits for each of its locks for a second at most. */
  readonly transaction: <A, E, R>(
    self: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | SqlError.SqlError, R>
  /** Makes an index before the transaction that records it. */
  readonly indexBefore: (index: Index) => Effect.Effect<void, SqlError.SqlError>
  /** Makes an index in the transaction that records it. */
  readonly indexWithin: (index: Index) => Effect.Effect<void, SqlError.SqlError>
}

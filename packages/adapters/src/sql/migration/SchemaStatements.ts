/**
 * How a database spells its tables, and changes them.
 */
import { Context, type Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { MigrationError } from "./MigrationError.ts"
import type { Turn } from "./MigrationTurn.ts"

type Sql = SqlClient.SqlClient

/** The column types and table options that are not spelled alike. */
export interface Types {
  /** An integer of 64 bits. */
  readonly int: Statement.Fragment
  /** A text that is searched, ordered or referred to. */
  readonly key: Statement.Fragment
  /** A primary key that counts up. */
  readonly sequence: Statement.Fragment
  /** The instant at which a row was written, as Effect's migrator keeps it. */
  readonly createdAt: Statement.Fragment
  /** Makes a database check the types of a table. */
  readonly strict: Statement.Fragment
  /** For tables of small rows: they live in their primary key. */
  readonly clustered: Statement.Fragment
  /** For the table whose rows come and go constantly. */
  readonly queue: Statement.Fragment
}

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
    readonly types: (sql: Sql) => Types
    /**
     * The index of a claim as 0001 made it. Some had lane and lease in it too, to skip full lanes
     * and leased rows without leaving the index; since 0007 no claim skips many.
     */
    readonly dueColumns: string
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
     * Locks the records of migrations for the rest of the transaction, so that nobody else,
     * Effect's migrator included, writes a step meanwhile. They can still be read.
     */
    readonly lockRecords: (sql: Sql) => Effect.Effect<unknown, SqlError.SqlError>
    /** Has the database give the commits of jobs their ordinals, where it can by itself. */
    readonly countCommits: (sql: Sql) => Effect.Effect<unknown, SqlError.SqlError>
    readonly turn: (sql: Sql) => Turn
  }
>()("@verbatim/adapters/sql/SchemaStatements") {}

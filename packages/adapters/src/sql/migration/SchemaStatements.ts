/**
 * How a database spells its tables, and changes them.
 */
import { Context, type Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Spelling } from "../StoreTables.ts"
import type { MigrationError } from "./MigrationError.ts"
import type { Turn } from "./MigrationTurn.ts"

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

/**
 * How a database runs the steps of a migration, so that nobody else has to stop.
 */
import type { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { MigrationError } from "./MigrationError.ts"

/** An index to build. Its name and what it is on are enough to make it again. */
export interface Index {
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

/**
 * Runs statements on one of a pool's sessions, each with a time limit. Without a limit, an
 * unresponsive server would block callers until the operating system gives up after a quarter of an
 * hour.
 */
import type { PgConnection } from "@effect/sql-pg"
import { type Duration, Effect, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { sqlMetrics } from "../sql/SqlMetrics.ts"
import { connectionError } from "../sql/session/ClientErrors.ts"

type Params = ReadonlyArray<unknown>

/**
 * Limits an effect to the given time plus 5 s for the driver to cancel the statement or end the
 * session.
 */
export const within = (limit: Duration.Duration) =>
  Effect.timeoutOrElse({
    duration: limit,
    orElse: () => Effect.fail(connectionError(new Error("Postgres did not answer in time")))
  })

/**
 * A session, with functions that run a statement with a time limit and that remove the session from
 * its pool.
 */
export interface Options {
  readonly session: PgConnection.PgConnection
  /** Runs a statement with a time limit. */
  readonly limited: <A>(
    statement: Effect.Effect<A, SqlError.SqlError>
  ) => Effect.Effect<A, SqlError.SqlError>
  /** Removes the session from its pool. */
  readonly discard: Effect.Effect<void>
}

/** Creates a connection that uses the given session. */
export const make = ({ discard, limited, session }: Options): SqlConnection.Connection => {
  const run = <A>(statement: Effect.Effect<A, SqlError.SqlError>) =>
    Effect.andThen(sqlMetrics.statements.record({ database: "postgres" }), limited(statement))

  const records = (sql: string, params: Params, isPrepared: boolean) =>
    Effect.map(run(session.query(sql, params, isPrepared)), ({ rows }) => rows)

  /**
   * Rolls back a failed transaction. Effect treats a failed rollback as a bug, so the session is
   * discarded instead, and the server rolls back by itself.
   */
  const undo = (sql: string) => Effect.catch(records(sql, [], true), () => Effect.as(discard, []))

  const transformed = <Row>(
    rows: Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>,
    transform: ((rows: ReadonlyArray<Row>) => ReadonlyArray<Row>) | undefined
  ) => (transform === undefined ? rows : Effect.map(rows, transform))

  return {
    execute: (sql, params, transform) =>
      sql.startsWith("ROLLBACK") ? undo(sql) : transformed(records(sql, params, true), transform),
    executeRaw: (sql, params) => run(session.query(sql, params)),
    executeStream: (sql, params, transform) => {
      const rows = session.stream(sql, params)
      return transform === undefined
        ? rows
        : Stream.mapArray(rows, (chunk) => transform(chunk) as typeof chunk)
    },
    executeValues: (sql, params) => run(session.queryValues(sql, params)),
    executeValuesUnprepared: (sql, params) => run(session.queryValues(sql, params, false)),
    executeUnprepared: (sql, params, transform) =>
      transformed(records(sql, params, false), transform)
  }
}

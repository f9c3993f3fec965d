/** Statements on a connection that somebody else has opened, with whatever driver. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { sqlMetrics } from "../../sql/SqlCounts.ts"
import { readRow } from "./HostRows.ts"
import { toSqlError } from "./SqlState.ts"

/** A connection of a host: a `PoolClient` of `pg` is one, and most others take one line. */
export interface HostConnection {
  /** Runs one statement with the values of `$1`, `$2` …: texts, numbers, booleans and null. */
  readonly query: (
    text: string,
    values: Array<unknown>
  ) => PromiseLike<{ readonly rows: ReadonlyArray<object> }>
}

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Runs a statement. */
export const runQuery = (
  connection: HostConnection,
  text: string,
  params: ReadonlyArray<unknown>
): Effect.Effect<Rows, SqlError.SqlError> => {
  const asked = Effect.tryPromise({
    try: async () =>
      connection.query(
        text,
        params.map((value) => value ?? null)
      ),
    catch: toSqlError
  })
  return Effect.andThen(
    sqlMetrics.statements.record({ database: "postgres" }),
    Effect.map(asked, ({ rows }) => rows.map((row) => readRow(row as Rows[number])))
  )
}

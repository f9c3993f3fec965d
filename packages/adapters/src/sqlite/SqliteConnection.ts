/**
 * Runs statements on one `node:sqlite` database and keeps them prepared. The caller holds the
 * connection: nothing here is guarded.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import { Effect, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import type { DriverCounts } from "../sql/SqlCounts.ts"
import { attempt, execute } from "./SqliteAttempt.ts"

/** Statements kept prepared. Ours are some forty; a host may have as many of its own. */
const preparedMax = 200

/** What spans say of each statement and transaction. */
export const spanAttributes = [["db.system.name", "sqlite"]] as const

/** Whether a row is an object or an array of its values. */
type RowShape = "record" | "values"

type Params = ReadonlyArray<unknown>
type Rows = ReadonlyArray<object>

/** SQLite refuses values that it cannot hold, so the type may be taken on trust. */
const toBindings = (params: Params): Array<SQLInputValue> => params as Array<SQLInputValue>

const makePrepare = (database: DatabaseSync, shape: RowShape) => {
  // A map keeps the order of insertion: the first key is the one that was unused longest.
  const kept = new Map<string, StatementSync>()
  return (sql: string): StatementSync => {
    const known = kept.get(sql)
    const statement = known ?? database.prepare(sql)
    if (known === undefined) statement.setReturnArrays(shape === "values")
    kept.delete(sql)
    kept.set(sql, statement)
    if (kept.size <= preparedMax) return statement
    const [oldest] = kept.keys()
    if (oldest !== undefined) kept.delete(oldest)
    return statement
  }
}

/** The connection to an open database. */
export const make = (
  database: DatabaseSync,
  { statement: count }: Pick<DriverCounts, "statement">
): SqlConnection.Connection => {
  const asRecords = makePrepare(database, "record")
  const asValues = makePrepare(database, "values")

  // Inside a transaction the lock is ours; being told to wait there means starting all over.
  const mayWait = () => !database.isTransaction

  const run = <A>(call: () => A): Effect.Effect<A, SqlError.SqlError> =>
    execute(() => {
      count()
      return call()
    }, mayWait)

  const records = (rows: Effect.Effect<Rows, SqlError.SqlError>, transform?: (_: Rows) => Rows) =>
    transform === undefined ? rows : Effect.map(rows, transform)

  const values = (sql: string, params: Params) =>
    run(() => asValues(sql).all(...toBindings(params)) as unknown as ReadonlyArray<Params>)

  return {
    execute: (sql, params, transform) =>
      records(
        run(() => asRecords(sql).all(...toBindings(params))),
        transform
      ),
    executeRaw: (sql, params) =>
      run(() => {
        const statement = asRecords(sql)
        return statement.columns().length > 0
          ? statement.all(...toBindings(params))
          : statement.run(...toBindings(params))
      }),
    executeStream: (sql, params, transform) =>
      // With a statement of its own: a kept one would be reset by its next use.
      Stream.unwrap(
        Effect.map(
          run(() => database.prepare(sql).iterate(...toBindings(params))),
          (iterator) => pullRows(iterator, transform)
        )
      ),
    executeValues: values,
    executeValuesUnprepared: values,
    executeUnprepared: (sql, params, transform) =>
      records(
        run(() => database.prepare(sql).all(...toBindings(params))),
        transform
      )
  }
}

const pullRows = (iterator: NodeJS.Iterator<object>, transform?: (_: Rows) => Rows) =>
  Stream.unfold(undefined, () =>
    Effect.map(
      attempt("execute", () => iterator.next()),
      ({ done, value }) =>
        done === true
          ? undefined
          : ([transform === undefined ? value : transform([value])[0], undefined] as const)
    )
  ).pipe(
    // An open cursor would keep its snapshot, and the write-ahead log from being taken over.
    Stream.ensuring(Effect.sync(() => iterator.return?.()))
  )

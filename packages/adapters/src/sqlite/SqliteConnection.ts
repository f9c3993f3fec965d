/**
 * Runs statements on one `node:sqlite` database and keeps them prepared. An exception becomes a
 * `SqlError`, and while another connection is writing the call is tried again.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import { remainingWait } from "@verbatim/core/ports"
import { Clock, Duration, Effect, Result, Schedule, Stream } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import type { Edition } from "../sql/ClientTraits.ts"
import type { DriverCounts } from "../sql/SqlCounts.ts"

/** Extended result codes: the primary key, the unique value or the row id is taken already. */
const uniqueness = { primaryKey: 1555, unique: 2067, rowId: 2579 }

const isUniqueness = (code: unknown): boolean =>
  code === uniqueness.primaryKey || code === uniqueness.rowId

/** `node:sqlite` calls the result code `errcode`; the classifier of Effect looks for `errno`. */
const withErrno = (cause: unknown): unknown => {
  if (!(cause instanceof Error) || !("errcode" in cause)) return cause
  const errno = isUniqueness(cause.errcode) ? uniqueness.unique : cause.errcode
  return Object.assign(cause, { errno })
}

/** What a call comes to; failures are classified: `UniqueViolation`, `LockTimeoutError`, … */
const toResult = <A>(
  operation: "open" | "execute",
  call: () => A
): Result.Result<A, SqlError.SqlError> =>
  Result.try({
    try: call,
    catch: (cause) =>
      new SqlError.SqlError({
        reason: SqlError.classifySqliteError(withErrno(cause), {
          message: `SQLite could not ${operation}`,
          operation
        })
      })
  })

/** Runs a call. */
export const attempt = <A>(
  operation: "open" | "execute",
  call: () => A
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.suspend(() => Effect.fromResult(toResult(operation, call)))

/**
 * How long SQLite itself, and the whole program with it, waits for another connection. A
 * transaction of ours takes less, unless the disk is slow.
 */
export const blockedMillisMax = 2

/**
 * How long the program goes on with other things before the next try. When two programs write
 * without a pause, the longest wait is 50 ms. With SQLite's own waiting alone it was 1,900 ms, and
 * one of the two did a twentieth of the other's work.
 */
const pauseMillis = 3

/** For a caller without a deadline: as long as a renewal of a lease may wait. */
export const waitMax = Duration.seconds(5)

/**
 * Waits while another connection holds the database: without blocking the program, where our other
 * connection may be the one that holds it, and in real time, which is the only time it knows.
 */
export const patiently = <A>(
  self: Effect.Effect<A, SqlError.SqlError>
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.catchIf(self, isBusy, () =>
    Effect.flatMap(remainingWait, (left) =>
      Effect.retry(self, {
        while: isBusy,
        schedule: Schedule.upTo(Schedule.spaced(pauseMillis), {
          duration: Duration.min(left, waitMax)
        })
      }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()))
    )
  )

/** Runs a call that waits like that, unless it must not: then its first failure counts. */
const execute = <A>(call: () => A, mayWait: () => boolean): Effect.Effect<A, SqlError.SqlError> =>
  Effect.suspend(() => {
    // Nearly always the whole of it: no effect is made around the call.
    const first = toResult("execute", call)
    return Result.isFailure(first) && isBusy(first.failure) && mayWait()
      ? patiently(attempt("execute", call))
      : Effect.fromResult(first)
  })

const isBusy = (error: SqlError.SqlError): boolean => error.reason._tag === "LockTimeoutError"

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

/**
 * Makes the question which edition a connection that never writes would read now: SQLite counts the
 * commits of all other connections, of this process and of any other, as a statement would see
 * them. It takes 3 µs, a look-up 20 to 30. Where it fails, the statement that follows says why.
 */
export const makeReadEdition = (reader: DatabaseSync): (() => Edition | undefined) => {
  const statement = reader.prepare("PRAGMA data_version")
  return () => {
    try {
      const edition = statement.get()?.data_version
      return typeof edition === "number" ? edition : undefined
    } catch {
      return undefined
    }
  }
}

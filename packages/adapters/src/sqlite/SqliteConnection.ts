/**
 * Runs statements on one `node:sqlite` database and keeps prepared statements for reuse. Exceptions
 * become `SqlError`s, and calls are retried while another connection writes.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import { remainingWait } from "@verbatim/core/ports"
import { Clock, Duration, Effect, Result, Schedule, Stream } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import type { DriverCounts } from "../sql/SqlMetrics.ts"

/** Extended result codes for a primary key, a unique value or a row id that is already taken. */
const uniqueness = { primaryKey: 1555, unique: 2067, rowId: 2579 }

const isUniqueness = (code: unknown): boolean =>
  code === uniqueness.primaryKey || code === uniqueness.rowId

/** `node:sqlite` names the result code `errcode`; Effect's classifier reads `errno`. */
const withErrno = (cause: unknown): unknown => {
  if (!(cause instanceof Error) || !("errcode" in cause)) return cause
  const errno = isUniqueness(cause.errcode) ? uniqueness.unique : cause.errcode
  return Object.assign(cause, { errno })
}

/**
 * Returns the result of a call, or a classified failure: `UniqueViolation`, `LockTimeoutError`, …
 */
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

/** Runs a call, and converts exceptions to failures. */
export const attempt = <A>(
  operation: "open" | "execute",
  call: () => A
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.suspend(() => Effect.fromResult(toResult(operation, call)))

/**
 * How long SQLite itself waits for another connection; this wait blocks the whole program.
 * Verbatim's own transactions take less time, unless the disk is slow.
 */
export const blockedMillisMax = 2

/**
 * Pause between two attempts, during which the program can do other work. If two programs write
 * constantly, the longest wait is 50 ms. If only SQLite itself waited, the longest wait would be
 * 1,900 ms, and one program would do only a twentieth of the other's work.
 */
const pauseMillis = 3

/** How long a caller without a deadline waits: the longest wait that a lease renewal allows. */
export const waitMax = Duration.seconds(5)

/**
 * Retries while another connection holds the database. The program is not blocked during the wait,
 * because another connection of the same program may hold the database. The wait uses real time,
 * because the holder also depends only on real time.
 */
export const retryWhileBusy = <A>(
  self: Effect.Effect<A, SqlError.SqlError>
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.catchIf(self, isBusy, () =>
    Effect.flatMap(remainingWait, (wait) =>
      Effect.retry(self, {
        while: isBusy,
        schedule: Schedule.upTo(Schedule.spaced(pauseMillis), {
          duration: Duration.min(wait, waitMax)
        })
      }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()))
    )
  )

/**
 * Runs a call, and retries it while the database is busy. If the call must not wait, the first
 * failure is final.
 */
const execute = <A>(call: () => A, mayWait: () => boolean): Effect.Effect<A, SqlError.SqlError> =>
  Effect.suspend(() => {
    // The first attempt nearly always succeeds, so it is made without creating another effect.
    const first = toResult("execute", call)
    return Result.isFailure(first) && isBusy(first.failure) && mayWait()
      ? retryWhileBusy(attempt("execute", call))
      : Effect.fromResult(first)
  })

const isBusy = (error: SqlError.SqlError): boolean => error.reason._tag === "LockTimeoutError"

/** Maximum number of prepared statements. Verbatim uses about forty, and a host may use as many. */
const preparedMax = 200

/** Span attributes for statements and transactions. */
export const spanAttributes = [["db.system.name", "sqlite"]] as const

/** The form of the returned rows: objects, or arrays of values. */
type RowShape = "record" | "values"

type Params = ReadonlyArray<unknown>
type Rows = ReadonlyArray<object>

/** SQLite rejects values that it cannot store, so the cast is safe. */
const toBindings = (params: Params): Array<SQLInputValue> => params as Array<SQLInputValue>

const makePrepare = (database: DatabaseSync, shape: RowShape) => {
  // A map keeps insertion order, so the first key is the least recently used.
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

/** Creates the connection for an open database. */
export const make = (
  database: DatabaseSync,
  { statement: count }: Pick<DriverCounts, "statement">
): SqlConnection.Connection => {
  const asRecords = makePrepare(database, "record")
  const asValues = makePrepare(database, "values")

  // Inside a transaction, the connection already holds the lock, so a lock error means that the
  // transaction must start again.
  const mayWait = () => !database.isTransaction

  const run = <A>(call: () => A): Effect.Effect<A, SqlError.SqlError> =>
    execute(() => {
      count()
      return call()
    }, mayWait)

  const records = (rows: Effect.Effect<Rows, SqlError.SqlError>, transform?: (_: Rows) => Rows) =>
    transform === undefined ? rows : Effect.map(rows, transform)

  const executePrepared: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    records(
      run(() => asRecords(sql).all(...toBindings(params))),
      transform
    )

  const values = (sql: string, params: Params) =>
    run(() => asValues(sql).all(...toBindings(params)) as unknown as ReadonlyArray<Params>)

  return {
    execute: executePrepared,
    executeRaw: (sql, params) =>
      run(() => {
        const statement = asRecords(sql)
        return statement.columns().length > 0
          ? statement.all(...toBindings(params))
          : statement.run(...toBindings(params))
      }),
    // All rows are read immediately, because an open cursor would keep its snapshot and block
    // checkpoints of the write-ahead log.
    executeStream: (sql, params, transform) =>
      Stream.fromIterableEffect(executePrepared(sql, params, transform)),
    executeValues: values,
    executeValuesUnprepared: values,
    executeUnprepared: (sql, params, transform) =>
      records(
        run(() => database.prepare(sql).all(...toBindings(params))),
        transform
      )
  }
}

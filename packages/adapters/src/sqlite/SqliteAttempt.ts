/**
 * One call of `node:sqlite` as an effect: an exception becomes a `SqlError`, and while another
 * connection is writing the call is tried again.
 */
import { Clock, Effect, Result, Schedule } from "effect"
import { SqlError } from "effect/sql"

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

/** In all: as long as a renewal of a lease may wait, and thousands of our transactions. */
const waitMillisMax = 5_000

/**
 * Waits while another connection holds the database: without blocking the program, where our other
 * connection may be the one that holds it, and in real time, which is the only time it knows.
 */
export const patiently = <A>(
  self: Effect.Effect<A, SqlError.SqlError>
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.catchIf(self, isBusy, () =>
    Effect.retry(self, {
      while: isBusy,
      schedule: Schedule.upTo(Schedule.spaced(pauseMillis), { duration: waitMillisMax })
    }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()))
  )

/** Runs a call that waits like that, unless it must not: then its first failure counts. */
export const execute = <A>(
  call: () => A,
  mayWait: () => boolean
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.suspend(() => {
    // Nearly always the whole of it: no effect is made around the call.
    const first = toResult("execute", call)
    return Result.isFailure(first) && isBusy(first.failure) && mayWait()
      ? patiently(attempt("execute", call))
      : Effect.fromResult(first)
  })

const isBusy = (error: SqlError.SqlError): boolean => error.reason._tag === "LockTimeoutError"

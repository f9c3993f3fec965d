/**
 * Runs migrations without stopping other processes. One process holds a session lock, and the
 * others poll for it. A process that waited for the lock inside a statement would keep an old
 * snapshot, for which a concurrent index build would have to wait.
 */
import { Duration, Effect, Exit, Option, Random } from "effect"
import type { SqlClient } from "effect/sql"
import type { MigrationRunner } from "../../sql/migration/Migration.ts"
import { busy } from "../../sql/migration/MigrationError.ts"

type Sql = SqlClient.SqlClient

/**
 * Maximum wait for a lock. While a statement waits for a table lock, all later statements on the
 * table wait behind it.
 */
const lockTimeout = "1s"

/** Pause between two attempts to get the lock. */
const lockPause = Duration.millis(500)

/**
 * Maximum number of attempts, half an hour in total: enough to build an index on a hundred million
 * rows.
 */
const lockTriesMax = 3_600

const inTransaction =
  (sql: Sql) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      sql`BEGIN`,
      () => Effect.andThen(sql`SET LOCAL lock_timeout = ${sql.literal(`'${lockTimeout}'`)}`, self),
      (_, exit) => (Exit.isSuccess(exit) ? sql`COMMIT` : sql`ROLLBACK`)
    )

/** Runs all statements of an effect on one exclusive session. */
const onOneSession =
  (sql: Sql) =>
  <A, E>(self: Effect.Effect<A, E>) =>
    Effect.scoped(
      Effect.flatMap(sql.reserve, (session) =>
        Effect.provideService(self, sql.transactionService, [session, 0])
      )
    )

/** This key differs from that of earlier versions, which wait for their lock inside a statement. */
const lockKey = (sql: Sql) => sql.literal("hashtext('verbatim'), hashtext('migration steps')")

/** Runs an effect if the lock is free. */
const tryLocked = <A, E>(sql: Sql, work: Effect.Effect<A, E>) => {
  const key = lockKey(sql)
  const tryLock = Effect.map(
    sql<{ readonly mine: boolean }>`SELECT pg_try_advisory_lock(${key}) AS mine`,
    (rows) => rows[0]?.mine === true
  )
  return Effect.acquireUseRelease(
    tryLock,
    (isMine) => (isMine ? Effect.asSome(work) : Effect.succeedNone),
    // If the session has ended, its lock is already released.
    (isMine) => (isMine ? Effect.ignore(sql`SELECT pg_advisory_unlock(${key})`) : Effect.void)
  )
}

/** Sleeps for 0.5 to 1.5 times the pause, so that waiting processes do not poll together. */
const sleepJittered = (pause: Duration.Duration) =>
  Effect.flatMap(Random.next, (random) => Effect.sleep(Duration.times(pause, 0.5 + random)))

const runExclusively = (sql: Sql): MigrationRunner["runExclusively"] =>
  Effect.fnUntraced(function* (work, isDone) {
    for (let tries = 0; tries < lockTriesMax; tries += 1) {
      const done = yield* tryLocked(sql, work)
      if (Option.isSome(done)) return done
      if (yield* isDone) return Option.none()
      yield* sleepJittered(lockPause)
    }
    return yield* busy()
  }, onOneSession(sql))

/**
 * Builds an index. An interrupted build leaves an index that is updated but never used for reading.
 * Such an index is dropped first.
 */
const buildIndex = (sql: Sql): MigrationRunner["indexBefore"] =>
  Effect.fnUntraced(function* ({ name, on }) {
    const [found] = yield* sql<{ readonly valid: boolean }>`SELECT indisvalid AS valid
      FROM pg_index WHERE indexrelid = to_regclass(${name})`
    if (found?.valid === true) return
    if (found !== undefined) yield* sql`DROP INDEX CONCURRENTLY ${sql(name)}`.unprepared
    yield* Effect.logInfo(`Building the index ${name}: it waits for older transactions to end`)
    yield* sql`CREATE INDEX CONCURRENTLY ${sql(name)} ON ${on(sql)}`.unprepared
  })

/** Makes the migration runner for Postgres. */
export const makeRunner = (sql: Sql): MigrationRunner => ({
  runExclusively: runExclusively(sql),
  transaction: inTransaction(sql),
  indexBefore: buildIndex(sql),
  indexWithin: () => Effect.void
})

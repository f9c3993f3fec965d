/**
 * How a migration is run so that nobody else has to stop. One process has the turn, by a lock of
 * its session; the others ask for it again and again, because a statement that waits for a lock
 * keeps an old snapshot, for which a concurrent build of an index would wait in turn.
 */
import { Duration, Effect, Exit, Option, Random } from "effect"
import type { SqlClient } from "effect/sql"
import type { Turn } from "../../sql/migration/Migration.ts"
import { busy } from "../../sql/migration/MigrationError.ts"

type Sql = SqlClient.SqlClient

/** While a statement waits for a lock, everybody who comes after it waits too. */
const lockTimeout = "1s"

/** Between two questions for the turn. */
const turnPause = Duration.millis(500)

/** Half an hour: an index on a hundred million rows is built in that time. */
const turnTriesMax = 3_600

const inTransaction =
  (sql: Sql) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      sql`BEGIN`,
      () => Effect.andThen(sql`SET LOCAL lock_timeout = ${sql.literal(`'${lockTimeout}'`)}`, self),
      (_, exit) => (Exit.isSuccess(exit) ? sql`COMMIT` : sql`ROLLBACK`)
    )

/** Runs all statements of an effect on one session, which nobody else uses meanwhile. */
const onOneSession =
  (sql: Sql) =>
  <A, E>(self: Effect.Effect<A, E>) =>
    Effect.scoped(
      Effect.flatMap(sql.reserve, (session) =>
        Effect.provideService(self, sql.transactionService, [session, 0])
      )
    )

/** Not the lock of earlier versions, which wait for it inside a statement. */
const turnKey = (sql: Sql) => sql.literal("hashtext('verbatim'), hashtext('migration steps')")

/** Runs an effect if nobody else has the turn. */
const tryTurn = <A, E>(sql: Sql, work: Effect.Effect<A, E>) => {
  const key = turnKey(sql)
  const ask = Effect.map(
    sql<{ readonly mine: boolean }>`SELECT pg_try_advisory_lock(${key}) AS mine`,
    (rows) => rows[0]?.mine === true
  )
  return Effect.acquireUseRelease(
    ask,
    (isMine) => (isMine ? Effect.asSome(work) : Effect.succeedNone),
    // A session that has ended has given the lock back.
    (isMine) => (isMine ? Effect.ignore(sql`SELECT pg_advisory_unlock(${key})`) : Effect.void)
  )
}

/** Half the pause to one and a half of it, so that waiting processes do not ask together. */
const sleepJittered = (pause: Duration.Duration) =>
  Effect.flatMap(Random.next, (random) => Effect.sleep(Duration.times(pause, 0.5 + random)))

const takeTurn = (sql: Sql): Turn["take"] =>
  Effect.fnUntraced(function* (work, isOver) {
    for (let tries = 0; tries < turnTriesMax; tries += 1) {
      const done = yield* tryTurn(sql, work)
      if (Option.isSome(done)) return done
      if (yield* isOver) return Option.none()
      yield* sleepJittered(turnPause)
    }
    return yield* busy()
  }, onOneSession(sql))

/** A build that was cut off leaves an index that is written and never read. */
const buildIndex = (sql: Sql): Turn["indexBefore"] =>
  Effect.fnUntraced(function* ({ name, on }) {
    const [found] = yield* sql<{ readonly valid: boolean }>`SELECT indisvalid AS valid
      FROM pg_index WHERE indexrelid = to_regclass(${name})`
    if (found?.valid === true) return
    if (found !== undefined) yield* sql`DROP INDEX CONCURRENTLY ${sql(name)}`.unprepared
    yield* Effect.logInfo(`Building the index ${name}: it waits for older transactions to end`)
    yield* sql`CREATE INDEX CONCURRENTLY ${sql(name)} ON ${on(sql)}`.unprepared
  })

/** How Postgres runs migrations. */
export const turn = (sql: Sql): Turn => ({
  take: takeTurn(sql),
  transaction: inTransaction(sql),
  indexBefore: buildIndex(sql),
  indexWithin: () => Effect.void
})

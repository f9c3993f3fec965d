/**
 * Runs the steps of migrations that a database has not seen. Each takes effect together with its
 * record, or, when it cannot be part of a transaction, may be done twice; so whoever dies in the
 * middle is followed by somebody who goes on there.
 */
import { Duration, Effect, Option, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import {
  called,
  databaseNewer,
  isLocked,
  type Migration,
  type MigrationError,
  stepFailure
} from "./Migration.ts"
import * as Records from "./MigrationRecords.ts"
import { type Turn, turnOf } from "./MigrationTurn.ts"

type Sql = SqlClient.SqlClient

/** The migrations that a run has ended. */
export type Ended = ReadonlyArray<readonly [id: number, name: string]>

/** Between two tries of a step: with a second each, nobody waits for four fifths of the time. */
const lockPause = Duration.seconds(4)

/** A quarter of an hour: longer transactions are somebody's mistake, or a dump to wait for. */
const lockTriesMax = 180

/** What is left to do, or the refusal of a database that this code must not touch. */
const pending = Effect.fnUntraced(function* (sql: Sql, migrations: ReadonlyArray<Migration>) {
  const begun = yield* Records.read(sql)
  const known = Math.max(...migrations.map(({ id }) => id))
  const others = begun.filter(({ id }) => migrations.every((migration) => migration.id !== id))
  const needed = Math.max(0, ...others.map(({ compatibleSince }) => compatibleSince))
  if (needed > known) return yield* databaseNewer({ known, needed })
  const done = new Set(begun.filter(({ isDone }) => isDone).map(({ id }) => id))
  return migrations.filter(({ id }) => !done.has(id))
})

const stepsOf = (begun: ReadonlyArray<Records.Progress>, migration: Migration): number => {
  const progress = begun.find(({ id }) => id === migration.id)
  return progress?.isDone === true ? migration.steps.length : (progress?.steps ?? 0)
}

/** Takes one step, unless it is done, and tells whether it was the last of its migration. */
const takeStep = (sql: Sql, turn: Turn, migration: Migration, number: number) => {
  const step = migration.steps[number]
  const within = Effect.gen(function* () {
    yield* Records.take(sql)
    if (stepsOf(yield* Records.read(sql), migration) !== number || step === undefined) return false
    yield* step._tag === "Index" ? turn.indexWithin(step) : step.run
    yield* Records.record(sql, migration, number + 1)
    return number + 1 === migration.steps.length
  }).pipe(Effect.provideService(SqlClient.SqlClient, sql), turn.transaction)
  const before = step?._tag === "Index" ? turn.indexBefore(step) : Effect.void
  return Effect.andThen(before, within).pipe(
    Effect.tapError((error) => {
      const named = `step ${number + 1} of migration ${called(migration)}`
      return isLocked(error)
        ? Effect.logInfo(`Other transactions hold what ${named} needs: it is tried again`)
        : Effect.logError(`The database refused ${named}`, error)
    }),
    Effect.retry({
      while: isLocked,
      times: lockTriesMax,
      schedule: Schedule.jittered(Schedule.spaced(lockPause))
    }),
    Effect.mapError(stepFailure(migration, number))
  )
}

const bring = Effect.fnUntraced(function* (sql: Sql, turn: Turn, left: ReadonlyArray<Migration>) {
  yield* turn.transaction(Records.prepare(sql))
  const ended: Array<readonly [id: number, name: string]> = []
  for (const migration of left) {
    const first = stepsOf(yield* Records.read(sql), migration)
    for (let number = first; number < migration.steps.length; number += 1) {
      const isLast = yield* takeStep(sql, turn, migration, number)
      if (isLast) ended.push([migration.id, migration.name])
    }
  }
  return ended
})

/**
 * Brings a database as far as these migrations lead, in the order of their numbers, over a client
 * whose statements may take as long as they need, and returns those that ended here. Any number of
 * processes may do it at once.
 */
export const run = (
  migrations: ReadonlyArray<Migration>
): Effect.Effect<Ended, MigrationError | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const turn = turnOf(sql)
    const look = pending(sql, migrations)
    if ((yield* look).length === 0) return []
    const work = Effect.flatMap(look, (left) => bring(sql, turn, left))
    const isOver = Effect.map(look, (left) => left.length === 0)
    return Option.getOrElse(yield* turn.take(work, isOver), () => [])
  })

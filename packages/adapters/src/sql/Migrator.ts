/**
 * Runs the steps of migrations that a database has not seen. Each takes effect together with its
 * record, or, when it cannot be part of a transaction, may be done twice; so when a process dies in
 * the middle, another one goes on from there.
 */
import { Duration, Effect, Option, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import {
  type Migration,
  SchemaStatements,
  type StatementsStep,
  type Step,
  type Turn
} from "./migration/Migration.ts"
import {
  copyUnfinished,
  databaseNewer,
  isLocked,
  type MigrationError,
  migrationName,
  stepFailure,
  tableTaken,
  takenIn,
  unreleased
} from "./migration/MigrationError.ts"
import * as Records from "./migration/MigrationRecords.ts"
import { Statements } from "./Statements.ts"
import { tableNames } from "./StoreTables.ts"

/** Where migrations are run, and how. */
interface Database {
  readonly sql: SqlClient.SqlClient
  readonly schema: SchemaStatements["Service"]
  readonly turn: Turn
}

/** The migrations that a run has completed. */
export type Ended = ReadonlyArray<readonly [id: number, name: string]>

/** Between two tries of a step: with a second each, four fifths of the time nobody waits. */
const lockPause = Duration.seconds(4)

/** A quarter of an hour: longer transactions are somebody's mistake, or a dump to wait for. */
const lockTriesMax = 180

/** What a run may touch. */
export interface RunOptions {
  /** Whether the database is the target of a copy that the caller makes. */
  readonly isForCopy?: boolean
}

/** What a database records, unless it has another migration under one of these numbers. */
const readRecords = Effect.fnUntraced(function* (
  { schema, sql }: Pick<Database, "schema" | "sql">,
  migrations: ReadonlyArray<Migration>
) {
  const names = new Map(migrations.map(({ id, name }) => [id, name]))
  const all = yield* Records.read(sql, schema)
  const isAnother = all.some(({ id, name }) => (names.get(id) ?? name) !== name)
  return isAnother ? yield* unreleased() : all
})

/** The steps left to do, or the refusal of a database that this code must not touch. */
const findPending = Effect.fnUntraced(function* (
  database: Pick<Database, "schema" | "sql">,
  migrations: ReadonlyArray<Migration>,
  { isForCopy = false }: RunOptions = {}
) {
  const all = yield* readRecords(database, migrations)
  if (!isForCopy && all.some(Records.isCopyMark)) return yield* copyUnfinished()
  const begun = all.filter((one) => !Records.isCopyMark(one))
  const known = Math.max(...migrations.map(({ id }) => id))
  const others = begun.filter(({ id }) => migrations.every((migration) => migration.id !== id))
  const needed = Math.max(0, ...others.map(({ compatibleSince }) => compatibleSince))
  if (needed > known) return yield* databaseNewer({ known, needed })
  const done = new Set(begun.filter(({ isDone }) => isDone).map(({ id }) => id))
  return migrations.filter(({ id }) => !done.has(id))
})

/**
 * Refuses a database that has none of our migrations, but tables of our names: they are somebody
 * else's. Nothing was written yet.
 */
export const mustBeFree = Effect.fnUntraced(function* ({
  schema,
  sql
}: Pick<Database, "schema" | "sql">): Effect.fn.Return<void, MigrationError | SqlError.SqlError> {
  const [taken] = (yield* schema.findTaken(sql, tableNames)).toSorted()
  // Another process may have begun meanwhile: its records come before its tables.
  if (taken === undefined || (yield* Records.isThere(sql, schema))) return
  return yield* tableTaken({ table: taken, place: yield* schema.placeOf(sql) })
})

/** A step in its place. */
interface Place {
  readonly migration: Migration
  readonly number: number
  readonly step: Step
}

const stepsOf = (begun: ReadonlyArray<Records.Progress>, migration: Migration): number => {
  const progress = begun.find(({ id }) => id === migration.id)
  return progress?.isDone === true ? migration.steps.length : (progress?.steps ?? 0)
}

/** The part of a step before the transaction that records it: it may be done twice. */
const before = (turn: Turn, step: Step): StatementsStep["run"] => {
  switch (step._tag) {
    case "Batches":
      return Effect.repeat(turn.transaction(step.run), { while: (hasMore) => hasMore })
    case "Index":
      return turn.indexBefore(step)
    case "Statements":
      return Effect.void
  }
}

/** The part of a step in the transaction that records it. */
const within = (turn: Turn, step: Step): StatementsStep["run"] => {
  switch (step._tag) {
    case "Batches":
      return Effect.void
    case "Index":
      return turn.indexWithin(step)
    case "Statements":
      return step.run
  }
}

/** Takes one step, unless it is done, and says whether it was the last of its migration. */
const takeStep = ({ schema, sql, turn }: Database, { migration, number, step }: Place) => {
  const record = Effect.gen(function* () {
    yield* schema.lockRecords(sql)
    if (stepsOf(yield* Records.read(sql, schema), migration) !== number) return false
    yield* within(turn, step)
    yield* Records.record(sql, migration, number + 1)
    return number + 1 === migration.steps.length
  })
  return Effect.andThen(before(turn, step), turn.transaction(record)).pipe(
    Effect.provideService(SqlClient.SqlClient, sql),
    Effect.provideService(SchemaStatements, schema),
    Effect.tapError((error) => {
      // Its sentence tells all there is to tell.
      if (takenIn(error) !== undefined) return Effect.void
      const named = `step ${number + 1} of migration ${migrationName(migration)}`
      return isLocked(error)
        ? Effect.logInfo(`Other transactions hold what ${named} needs: it will be retried`)
        : Effect.logError(`The database refused ${named}`, error)
    }),
    Effect.retry({
      while: isLocked,
      times: lockTriesMax,
      schedule: Schedule.jittered(Schedule.spaced(lockPause))
    }),
    Effect.catch((error) => {
      const table = takenIn(error)
      return table === undefined
        ? Effect.fail(stepFailure(migration, number)(error))
        : Effect.flatMap(schema.placeOf(sql), (place) => tableTaken({ table, place }))
    })
  )
}

const applyPending = Effect.fnUntraced(function* (
  database: Database,
  left: ReadonlyArray<Migration>
) {
  const { schema, sql, turn } = database
  yield* turn.transaction(Records.prepare(sql))
  const ended: Array<readonly [id: number, name: string]> = []
  for (const migration of left) {
    const first = stepsOf(yield* Records.read(sql, schema), migration)
    for (const [number, step] of migration.steps.entries()) {
      if (number < first) continue
      const isLast = yield* takeStep(database, { migration, number, step })
      if (isLast) ended.push([migration.id, migration.name])
    }
  }
  return ended
})

/**
 * The migrations that a database lacks, by their names, or the refusal of one that belongs to newer
 * code. Nothing is written: not even the tables that remember migrations.
 */
export const pending = (
  migrations: ReadonlyArray<Migration>
): Effect.Effect<
  ReadonlyArray<string>,
  MigrationError | SqlError.SqlError,
  SqlClient.SqlClient | Statements
> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { schema } = yield* Statements
    const left = yield* findPending({ sql, schema }, migrations)
    return left.map(migrationName)
  })

/**
 * Brings a database as far as these migrations lead, in the order of their numbers, over a client
 * whose statements may take as long as they need, and returns those that ended here. Any number of
 * processes may do so at once.
 */
export const run = (
  migrations: ReadonlyArray<Migration>,
  options: RunOptions = {}
): Effect.Effect<Ended, MigrationError | SqlError.SqlError, SqlClient.SqlClient | Statements> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { schema } = yield* Statements
    const turn = schema.turn(sql)
    const database = { sql, schema, turn }
    const look = findPending(database, migrations, options)
    if ((yield* look).length === 0) return []
    yield* mustBeFree(database)
    yield* schema.makeHome(sql)
    const work = Effect.flatMap(look, (left) => applyPending(database, left))
    const isOver = Effect.map(look, (left) => left.length === 0)
    return Option.getOrElse(yield* turn.take(work, isOver), () => [])
  })

/** How a database stands to code with certain migrations. */
export type Standing = "Behind" | "Current" | "Newer" | "Unfinished"

/** Compares a database with these migrations. Nothing is written. */
export const standing = (
  migrations: ReadonlyArray<Migration>
): Effect.Effect<Standing, MigrationError | SqlError.SqlError, SqlClient.SqlClient | Statements> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { schema } = yield* Statements
    const all = yield* readRecords({ sql, schema }, migrations)
    if (all.some(Records.isCopyMark)) return "Unfinished"
    const known = new Set(migrations.map(({ id }) => id))
    if (all.some(({ id }) => !known.has(id))) return "Newer"
    const done = all.filter(({ isDone }) => isDone)
    return done.length === migrations.length ? "Current" : "Behind"
  })

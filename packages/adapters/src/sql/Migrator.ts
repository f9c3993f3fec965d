/**
 * Runs the migration steps that have not yet been run in a database. A step takes effect together
 * with its record; a step that cannot be part of a transaction can safely run twice. If a process
 * dies, another process can continue where the first one stopped.
 */
import { Duration, Effect, Option, Schedule } from "effect"
import { SqlClient, type SqlError, Statement } from "effect/sql"
import { compilerFor } from "./ClientCapabilities.ts"
import {
  type Migration,
  type MigrationRunner,
  SchemaStatements,
  type StatementsStep,
  type Step
} from "./migration/Migration.ts"
import {
  findTakenName,
  isLocked,
  type MigrationError,
  migrationError,
  migrationName,
  stepFailure
} from "./migration/MigrationError.ts"
import * as Records from "./migration/MigrationRecords.ts"
import { Statements } from "./Statements.ts"
import { tableNames } from "./StoreTables.ts"
import { makeRowConnection } from "./session/RowConnection.ts"

interface Database {
  readonly sql: SqlClient.SqlClient
  readonly schema: SchemaStatements["Service"]
  readonly runner: MigrationRunner
}

/** The migrations that have been completed. */
export type Completed = ReadonlyArray<readonly [id: number, name: string]>

/**
 * Pause between two attempts at a step. An attempt waits one second for its lock, so other
 * processes are disturbed only a fifth of the time.
 */
const lockPause = Duration.seconds(4)

/**
 * Maximum number of attempts: a quarter of an hour in total. A transaction that takes longer is
 * either a mistake, or a dump that must finish first.
 */
const lockTriesMax = 180

/** Options for running migrations. */
export interface RunOptions {
  /** Whether the migrations are run in order to copy a store into the database. */
  readonly isForCopy?: boolean
}

/**
 * Reads which migrations a database has recorded. Fails if the database has recorded a different
 * migration under one of these numbers.
 */
const readRecords = Effect.fnUntraced(function* (
  { schema, sql }: Pick<Database, "schema" | "sql">,
  migrations: ReadonlyArray<Migration>
) {
  const names = new Map(migrations.map(({ id, name }) => [id, name]))
  const all = yield* Records.read(sql, schema)
  const isAnother = all.some(({ id, name }) => (names.get(id) ?? name) !== name)
  return isAnother ? yield* migrationError({ _tag: "Unreleased" }) : all
})

/**
 * Returns the migrations that have not been run yet, or fails if this code must not change the
 * database.
 */
const findPending = Effect.fnUntraced(function* (
  database: Pick<Database, "schema" | "sql">,
  migrations: ReadonlyArray<Migration>,
  { isForCopy = false }: RunOptions = {}
) {
  const all = yield* readRecords(database, migrations)
  if (!isForCopy && all.some(Records.isCopyMarker))
    return yield* migrationError({ _tag: "CopyUnfinished" })
  const begun = all.filter((one) => !Records.isCopyMarker(one))
  const known = Math.max(...migrations.map(({ id }) => id))
  const others = begun.filter(({ id }) => migrations.every((migration) => migration.id !== id))
  const needed = Math.max(0, ...others.map(({ compatibleSince }) => compatibleSince))
  if (needed > known) return yield* migrationError({ _tag: "DatabaseNewer", known, needed })
  const done = new Set(begun.filter(({ isDone }) => isDone).map(({ id }) => id))
  return migrations.filter(({ id }) => !done.has(id))
})

/**
 * Refuses a database that has tables with the stores' names but no record of their migrations,
 * because the tables belong to another program. Writes nothing.
 */
export const requireFreeNames = Effect.fnUntraced(function* ({
  schema,
  sql
}: Pick<Database, "schema" | "sql">): Effect.fn.Return<void, MigrationError | SqlError.SqlError> {
  const [taken] = (yield* schema.findTaken(sql, tableNames)).toSorted()
  // Another process may have begun to migrate in the meantime. Every process writes its records
  // before creating tables.
  if (taken === undefined || (yield* Records.hasRecords(sql, schema))) return
  const location = yield* schema.describeLocation(sql)
  return yield* migrationError({ _tag: "TableTaken", table: taken, location })
})

/** A step, its migration, and its number within the migration. */
interface NumberedStep {
  readonly migration: Migration
  readonly number: number
  readonly step: Step
}

const stepsOf = (begun: ReadonlyArray<Records.Progress>, migration: Migration): number => {
  const progress = begun.find(({ id }) => id === migration.id)
  return progress?.isDone === true ? migration.steps.length : (progress?.steps ?? 0)
}

/**
 * Runs the part of a step that comes before the transaction that records the step. This part may
 * run twice.
 */
const runBefore = (runner: MigrationRunner, step: Step): StatementsStep["run"] => {
  switch (step._tag) {
    case "Batches":
      return Effect.repeat(runner.transaction(step.run), { while: (hasMore) => hasMore })
    case "Index":
      return runner.indexBefore(step)
    case "Statements":
      return Effect.void
  }
}

/** Runs the part of a step that belongs to the transaction that records the step. */
const runInside = (runner: MigrationRunner, step: Step): StatementsStep["run"] => {
  switch (step._tag) {
    case "Batches":
      return Effect.void
    case "Index":
      return runner.indexWithin(step)
    case "Statements":
      return step.run
  }
}

/**
 * Runs one step unless it was already run, and returns whether this was the migration's last step.
 */
const takeStep = ({ schema, sql, runner }: Database, { migration, number, step }: NumberedStep) => {
  const record = Effect.gen(function* () {
    yield* schema.lockRecords(sql)
    if (stepsOf(yield* Records.read(sql, schema), migration) !== number) return false
    yield* runInside(runner, step)
    yield* Records.record(sql, migration, number + 1)
    return number + 1 === migration.steps.length
  })
  return Effect.andThen(runBefore(runner, step), runner.transaction(record)).pipe(
    Effect.provideService(SqlClient.SqlClient, sql),
    Effect.provideService(SchemaStatements, schema),
    Effect.tapError((error) => {
      // If a table's name is taken, the error already reports the name.
      if (findTakenName(error) !== undefined) return Effect.void
      const named = `step ${number + 1} of migration ${migrationName(migration)}`
      return isLocked(error)
        ? Effect.logInfo(`Other transactions hold locks that ${named} needs: it will be retried`)
        : Effect.logError(`The database refused ${named}`, error)
    }),
    Effect.retry({
      while: isLocked,
      times: lockTriesMax,
      schedule: Schedule.jittered(Schedule.spaced(lockPause))
    }),
    Effect.catch((error) => {
      const table = findTakenName(error)
      return table === undefined
        ? Effect.fail(stepFailure(migration, number)(error))
        : Effect.flatMap(schema.describeLocation(sql), (location) =>
            migrationError({ _tag: "TableTaken", table, location })
          )
    })
  )
}

const applyPending = Effect.fnUntraced(function* (
  database: Database,
  unapplied: ReadonlyArray<Migration>
) {
  const { schema, sql, runner } = database
  yield* runner.transaction(Records.createTable(sql))
  const ended: Array<readonly [id: number, name: string]> = []
  for (const migration of unapplied) {
    const first = stepsOf(yield* Records.read(sql, schema), migration)
    for (const [number, step] of migration.steps.entries()) {
      if (number < first) continue
      const isLast = yield* takeStep(database, { migration, number, step })
      if (isLast) ended.push([migration.id, migration.name])
    }
  }
  return ended
})

/** An effect that uses a client's database. */
export type InDatabase<A> = Effect.Effect<
  A,
  MigrationError | SqlError.SqlError,
  SqlClient.SqlClient | Statements
>

const openDatabase = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { schema } = yield* Statements
  return { sql, schema }
})

/**
 * Returns the names of the migrations that a database lacks. Fails if the database belongs to newer
 * code. Writes nothing, and does not create the table of migration records.
 */
export const pending = (migrations: ReadonlyArray<Migration>): InDatabase<ReadonlyArray<string>> =>
  openDatabase.pipe(
    Effect.flatMap((database) => findPending(database, migrations)),
    Effect.map((unapplied) => unapplied.map(migrationName))
  )

/** Returns the SQL of the migrations that a database lacks, but writes nothing. */
export const print = (migrations: ReadonlyArray<Migration>): InDatabase<ReadonlyArray<string>> =>
  Effect.flatMap(openDatabase, (database) =>
    Effect.flatMap(findPending(database, migrations), (unapplied) =>
      printSteps(database, unapplied)
    )
  )

/**
 * Runs these migrations in the order of their numbers, and returns the completed ones. The client's
 * statements must have no time limit. Any number of processes can run migrations at the same time.
 */
export const run = (
  migrations: ReadonlyArray<Migration>,
  options: RunOptions = {}
): InDatabase<Completed> =>
  Effect.gen(function* () {
    const { sql, schema } = yield* openDatabase
    const runner = schema.makeRunner(sql)
    const database = { sql, schema, runner }
    const findUnapplied = findPending(database, migrations, options)
    if ((yield* findUnapplied).length === 0) return []
    yield* requireFreeNames(database)
    yield* schema.createHomeSchema(sql)
    const work = Effect.flatMap(findUnapplied, (unapplied) => applyPending(database, unapplied))
    const isDone = Effect.map(findUnapplied, (unapplied) => unapplied.length === 0)
    return Option.getOrElse(yield* runner.runExclusively(work, isDone), () => [])
  })

/** The state of a database's schema, compared with the migrations that the code knows. */
export type SchemaStatus = "Behind" | "Current" | "Newer" | "Unfinished"

/** Compares a database with these migrations, but writes nothing. */
export const readStatus = (migrations: ReadonlyArray<Migration>): InDatabase<SchemaStatus> =>
  Effect.gen(function* () {
    const all = yield* readRecords(yield* openDatabase, migrations)
    if (all.some(Records.isCopyMarker)) return "Unfinished"
    const known = new Set(migrations.map(({ id }) => id))
    if (all.some(({ id }) => !known.has(id))) return "Newer"
    const done = all.filter(({ isDone }) => isDone)
    return done.length === migrations.length ? "Current" : "Behind"
  })

type Sql = SqlClient.SqlClient

/** Values such as random names and timestamps are chosen when the migration runs. */
const toLine = (text: string, params: ReadonlyArray<unknown>): string => {
  const note = params.length === 0 ? "" : " -- values are chosen when the migration runs"
  return `${text.trim()};${note}`
}

/** Creates a client that records statements instead of running them. */
const makeRecorder = (sql: Sql, lines: Array<string>): Sql => {
  const note = (text: string, params: ReadonlyArray<unknown>) =>
    Effect.sync((): ReadonlyArray<never> => {
      lines.push(toLine(text, params))
      return []
    })
  const connection = Effect.succeed(makeRowConnection(note))
  const constructor = Statement.make(connection, compilerFor(sql), [], undefined)
  const recorder: Sql = Object.assign(constructor, { ...sql, ...constructor })
  return Object.assign(recorder, { safe: recorder, withoutTransforms: () => recorder })
}

const printStep = (recorder: Sql, step: Step) => {
  switch (step._tag) {
    case "Batches":
    case "Statements":
      return step.run
    case "Index":
      return recorder`CREATE INDEX ${recorder(step.name)} ON ${step.on(recorder)}`
  }
}

/**
 * Returns the SQL of these migrations without running the SQL, for review before a deployment: one
 * statement per element. Reads return no rows, and statements repeated in batches appear only once.
 */
const printSteps = Effect.fnUntraced(function* (
  { schema, sql }: { readonly sql: Sql; readonly schema: SchemaStatements["Service"] },
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<ReadonlyArray<string>, SqlError.SqlError> {
  const lines: Array<string> = []
  const recorder = makeRecorder(sql, lines)
  for (const migration of migrations) {
    lines.push(`-- migration ${migrationName(migration)}`)
    for (const step of migration.steps) {
      yield* printStep(recorder, step).pipe(
        Effect.provideService(SqlClient.SqlClient, recorder),
        Effect.provideService(SchemaStatements, schema)
      )
    }
  }
  return lines
})

/** Provides migrations of the stores' tables, as a later version could have them. */
import { assert } from "@effect/vitest"
import { Migrations, Statements } from "@verbatim/adapters/sql"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrator from "#src/sql/Migrator"

const { batches, index, statements } = Migrations

/** Adds a column to `work`. Postgres briefly locks the whole table for this. */
const addColumn = (column: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`ALTER TABLE verbatim_work ADD COLUMN ${sql(column)} INTEGER`
  )

/** Fills the column, two rows at a time. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const filled = yield* sql`UPDATE verbatim_work SET one_more = 1 WHERE job_id IN (
    SELECT job_id FROM verbatim_work WHERE one_more IS NULL LIMIT 2) RETURNING job_id`
  return filled.length === 2
})

/** Migration 1000 adds a column with an index, and fills the column in batches. */
export const later: Migrations.Migration = {
  id: 1_000,
  name: "later",
  steps: [
    statements(addColumn("one_more")),
    index("work_by_one_more", (sql) => sql`verbatim_work (one_more)`),
    batches(fill)
  ]
}

/** Runs the same migration until the process dies in one of its steps, which is then undone. */
const cutOff = (migration: Migrations.Migration, number: number): Migrations.Migration => ({
  ...migration,
  steps: migration.steps.with(number, statements(dying))
})

/** A step that would fail the next time if it were not undone. */
const dying = Effect.andThen(addColumn("lost"), Effect.die("the process died"))

/** Counts the rows in which the column is still empty. */
export const empty = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT job_id FROM verbatim_work WHERE one_more IS NULL`
)

/** Reads the recorded progress: how many steps of each migration are complete. */
const remembered = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: number; readonly steps: number }>`
    SELECT migration_id AS id, steps FROM verbatim_migrations
    WHERE migration_id >= 1000 ORDER BY migration_id`
  return rows.map(({ id, steps }) => [id, steps])
})

/** Tests that another process resumes at the step in which a process has died. */
export const resumesAfterDeath = Effect.gen(function* () {
  for (const number of [0, 1, 2]) {
    const exit = yield* Effect.exit(Migrator.run([cutOff(later, number)]))
    assert.isTrue(Exit.hasDies(exit))
    assert.deepStrictEqual(yield* remembered, number === 0 ? [] : [[1_000, number]])
  }
  // A second run of the first step would fail, because the column already exists.
  assert.deepStrictEqual(yield* Migrator.run([later]), [[1_000, "later"]])
  assert.deepStrictEqual(yield* remembered, [[1_000, 3]])
  assert.deepStrictEqual(yield* Migrator.run([later]), [])
})

/**
 * Tests that the SQL printed for an empty database creates the same tables as the migrations, and
 * that printing it creates nothing. `objects` describes all tables.
 */
export const printsWhatItCreates = <E, R, E2, R2>(
  objects: Effect.Effect<ReadonlyArray<unknown>, E, R>,
  migrated: Effect.Effect<ReadonlyArray<unknown>, E2, R2>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const lines = yield* Migrations.print
    assert.match(lines[0] ?? "", /^-- migration 0001_schema_/)
    assert.lengthOf(yield* objects, 0)
    for (const line of lines.filter((each) => !each.includes("--"))) yield* sql.unsafe(line)
    const printed = yield* objects
    assert.isAbove(printed.length, 20)
    assert.deepStrictEqual(printed, yield* migrated)
  })

/** The first migration of an empty database, which creates a table with an index and rows. */
const first: Migrations.Migration = {
  id: 1,
  name: "first",
  steps: [
    statements(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`CREATE TABLE verbatim_work (one_more INTEGER)`
      )
    ),
    index("work_by_one_more", (sql) => sql`verbatim_work (one_more)`),
    batches(Effect.succeed(false))
  ]
}

/**
 * Tests that the refusal of a step by a new database is reported with its migration and number, as
 * it is for an existing database.
 */
export const namesRefusedStep = Effect.gen(function* () {
  const wrong = statements(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE nowhere ADD COLUMN x INTEGER`)
  )
  const error = yield* Effect.flip(Migrator.run([{ ...first, steps: first.steps.with(2, wrong) }]))
  assert.include(error.message, "Migration 0001_first failed at step 3")
  assert.deepStrictEqual(yield* Migrator.run([first]), [[1, "first"]])
})

/**
 * Records of migrations by builds before the first release: with other migrations, or with another
 * digest of the schema.
 */
const unreleasedRecords = {
  "fewer columns": `CREATE TABLE verbatim_migrations
    AS SELECT 1 AS migration_id, 0 AS created_at, 'schema' AS name`,
  "another schema": `CREATE TABLE verbatim_migrations AS SELECT 1 AS migration_id,
    'schema_00000000' AS name, 1 AS steps, 0 AS compatible_since, 1 AS is_done`
}

/**
 * Tests that every entry point refuses such a database with an error message, and leaves it
 * unchanged.
 */
export const refusesUnreleased = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* (yield* Statements).schema.createHomeSchema(sql)
  for (const [title, records] of Object.entries(unreleasedRecords)) {
    yield* sql.unsafe(records)
    const entryPoints = [
      Migrations.run,
      Migrations.runForCopy,
      Migrations.pending,
      Migrations.readStatus
    ]
    for (const entryPoint of entryPoints) {
      const error = yield* Effect.flip<unknown, unknown, SqlClient.SqlClient | Statements>(
        entryPoint
      )
      assert.instanceOf(error, Migrations.MigrationError, title)
      assert.match(error.message, /unreleased build of Verbatim.*use a new database/)
    }
    const { length } = yield* sql`SELECT * FROM verbatim_migrations`
    assert.strictEqual(length, 1)
    yield* sql`DROP TABLE verbatim_migrations`
  }
  assert.strictEqual((yield* Migrations.run).length, 1)
})

/** Records a migration by newer code that excludes all older code from the database. */
export const incompatibleSince = (number: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const progress = { steps: 1, compatible_since: number, is_done: 0 }
    const row = { migration_id: number, name: "newer", ...progress }
    return sql`INSERT INTO verbatim_migrations ${sql.insert(row)}`
  })

/** Tests that a migration blocks no concurrent work, and resumes if its process has died. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { Migrations } from "@verbatim/adapters/sql"
import { JobStore } from "@verbatim/core/ports"
import { creation, makeUploadJob, upTo } from "@verbatim/testkit/samples"
import { Deferred, Effect, Fiber, Layer, Logger, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrator from "#src/sql/Migrator"
import {
  empty,
  later,
  namesRefusedStep,
  printsWhatItCreates,
  refusesUnreleased,
  resumesAfterDeath
} from "../sql/SampleMigration.ts"
import { newSchema, oneClient } from "./TemporarySchema.ts"

const { index } = Migrations

/** Creates a migrated schema, and a client with one session on it. */
const upToDate = Effect.gen(function* () {
  const config = yield* newSchema
  yield* Layer.build(Layer.fresh(layer(config)))
  return { ...config, maxConnections: 1 }
})

/** Runs an effect in a separate session. */
const onSeparateSession = (config: Parameters<typeof oneClient>[0]) =>
  Effect.provide(oneClient(config), { local: true })

const indexes = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly name: string; readonly valid: boolean }>`
    SELECT relname AS name, indisvalid AS valid FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indexrelid = to_regclass('work_by_one_more')`
)

/** Waits until a session waits for a lock, or no longer does. */
const untilBlocked = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const waiting = sql`SELECT 1 FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE verbatim_work ADD COLUMN%'`
  yield* waiting.pipe(
    Effect.repeat({ until: (rows) => rows.length > 0, schedule: Schedule.spaced("20 millis") })
  )
})

describe("a migration of a Postgres database", () => {
  it.live("can be printed as the SQL that it runs", () =>
    Effect.gen(function* () {
      const objects = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT table_name, column_name, data_type, is_nullable,
            replace(column_default, table_schema, '') AS fallback,
            (SELECT count(*)::text FROM pg_indexes
              WHERE schemaname = table_schema AND tablename = table_name) AS indexes
          FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name <> 'verbatim_migrations'
          ORDER BY table_name, column_name`
      )
      const migrated = onSeparateSession(yield* upToDate)(objects)
      const blank = yield* newSchema
      const makeSchema = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`CREATE SCHEMA ${sql(blank.schema)}`
      )
      yield* onSeparateSession({ url: blank.url })(makeSchema)
      yield* onSeparateSession(blank)(printsWhatItCreates(objects, migrated))
    })
  )

  it.live("warns about a store in another schema before it creates an empty one", () =>
    Effect.gen(function* () {
      yield* upToDate
      const logged: Array<unknown> = []
      const logger = Logger.make(({ message }) => logged.push(message))
      const open = Layer.build(Layer.fresh(layer(yield* newSchema)))
      yield* open.pipe(Effect.provide(Logger.layer([logger])))
      assert.include(String(logged[0]), "the database has tables of Verbatim in schema ")
    })
  )

  it.live("lets writers continue while it waits for a long read, and then resumes", () =>
    Effect.gen(function* () {
      const config = yield* upToDate
      const begun = yield* Deferred.make<void>()
      const reads = yield* Deferred.make<void>()
      const reader = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`SET idle_in_transaction_session_timeout = 0`
        yield* sql.withTransaction(
          sql`SELECT count(*) FROM verbatim_work`.pipe(
            Effect.andThen(Deferred.succeed(begun, undefined)),
            Effect.andThen(Deferred.await(reads))
          )
        )
      })
      const reading = yield* Effect.forkChild(reader.pipe(onSeparateSession(config)))
      yield* Deferred.await(begun)
      const migration = yield* Effect.forkChild(
        Migrator.run([later]).pipe(onSeparateSession(config))
      )
      yield* untilBlocked.pipe(onSeparateSession(config))
      // All these writes need the table `work`, and the migration is waiting for its lock.
      yield* Effect.gen(function* () {
        const jobs = yield* JobStore
        for (const number of upTo(20)) yield* jobs.insert(creation(makeUploadJob(number)))
      }).pipe(Effect.provide(Layer.fresh(layer(config))))
      assert.isUndefined(migration.pollUnsafe())
      assert.isUndefined(reading.pollUnsafe())
      yield* Deferred.succeed(reads, undefined)
      assert.deepStrictEqual(yield* Fiber.join(migration), [[1_000, "later"]])
      assert.deepStrictEqual(yield* empty.pipe(onSeparateSession(config)), [])
      yield* Fiber.join(reading)
    })
  )

  it.live("runs once if ten processes start together, and builds the index without delay", () =>
    Effect.gen(function* () {
      const config = yield* upToDate
      const runs = yield* Effect.forEach(
        upTo(10),
        () => Migrator.run([later]).pipe(onSeparateSession(config)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(runs.flat(), [[1_000, "later"]])
      assert.deepStrictEqual(yield* indexes.pipe(onSeparateSession(config)), [
        { name: "work_by_one_more", valid: true }
      ])
    })
  )

  it.live("resumes after the last step that a dead process completed", () =>
    Effect.gen(function* () {
      const config = yield* upToDate
      yield* resumesAfterDeath.pipe(onSeparateSession(config))
    })
  )

  it.live("rebuilds an index that a crash left unfinished", () =>
    Effect.gen(function* () {
      const config = yield* upToDate
      const unique = index("work_by_one_more", (sql) => sql`verbatim_work (one_more)`)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`ALTER TABLE verbatim_work ADD COLUMN one_more BIGINT`
        // Two rows have the same value, so the build of the index fails midway, as in a crash.
        yield* sql`INSERT INTO verbatim_jobs (id, workspace_id, revision, accepted_at,
          is_transcription_ended, state) VALUES ('a', '', 1, 0, 0, ''), ('b', '', 1, 0, 0, '')`
        yield* sql`INSERT INTO verbatim_work (job_id, kind, lane, due_at, one_more)
          VALUES ('a', '', '', 0, 1), ('b', '', '', 0, 1)`
        yield* Effect.flip(
          sql`CREATE UNIQUE INDEX CONCURRENTLY work_by_one_more ON verbatim_work (one_more)`
            .unprepared
        )
        assert.deepStrictEqual(yield* indexes, [{ name: "work_by_one_more", valid: false }])
        yield* Migrator.run([{ id: 1_000, name: "later", steps: [unique] }])
        assert.deepStrictEqual(yield* indexes, [{ name: "work_by_one_more", valid: true }])
      }).pipe(onSeparateSession(config))
    })
  )
})

describe("the migrations of a new Postgres schema", () => {
  /** Creates a schema without tables, and a client with one session on it. */
  const empty = Effect.map(newSchema, (config) => ({ ...config, maxConnections: 1 }))

  it.live("report which step failed", () =>
    Effect.flatMap(empty, (config) => namesRefusedStep.pipe(onSeparateSession(config)))
  )

  it.live("refuse tables from a build before the first release", () =>
    Effect.flatMap(empty, (config) => refusesUnreleased.pipe(onSeparateSession(config)))
  )

  it.live("do not wait for readers of other schemas, such as backups", () =>
    Effect.gen(function* () {
      const config = yield* empty
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // If an index were built concurrently, it would wait for this snapshot.
        yield* sql`BEGIN ISOLATION LEVEL REPEATABLE READ`
        yield* sql`SELECT count(*) FROM pg_class`
        assert.isAbove((yield* Migrations.run.pipe(onSeparateSession(config))).length, 0)
        yield* sql`COMMIT`
      }).pipe(onSeparateSession(config))
    })
  )
})

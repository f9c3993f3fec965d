/** Tests that a migration of a file resumes if its process has died, and excludes old code. */
import { assert, describe, it } from "@effect/vitest"
import { layer, SqliteClient } from "@verbatim/adapters/sqlite"
import { upTo } from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrator from "#src/sql/Migrator"
import {
  incompatibleSince,
  later,
  namesRefusedStep,
  printsWhatItCreates,
  refusesUnreleased,
  resumesAfterDeath
} from "../sql/SampleMigration.ts"
import { newFile } from "./TemporaryDatabase.ts"

/** Creates a migrated file, and a function that runs effects on a separate connection. */
const upToDate = Effect.gen(function* () {
  const filename = yield* newFile
  yield* Layer.build(Layer.fresh(layer({ filename })))
  const client = Layer.fresh(SqliteClient.layer({ filename }))
  return { filename, onSeparateSession: Effect.provide(client, { local: true }) }
})

describe("a migration of a SQLite database", () => {
  it.live("can be printed as the SQL that it runs", () =>
    Effect.gen(function* () {
      const objects = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT name, sql FROM sqlite_master
          WHERE tbl_name <> 'verbatim_migrations' ORDER BY name`
      )
      const { onSeparateSession } = yield* upToDate
      const blank = SqliteClient.layer({ filename: ":memory:" })
      const migrated = onSeparateSession(objects)
      yield* Effect.provide(printsWhatItCreates(objects, migrated), blank, { local: true })
    })
  )

  it.live("runs once if many processes start together", () =>
    Effect.gen(function* () {
      const { onSeparateSession } = yield* upToDate
      const runs = yield* Effect.forEach(
        upTo(8),
        () => Migrator.run([later]).pipe(onSeparateSession),
        {
          concurrency: "unbounded"
        }
      )
      assert.deepStrictEqual(runs.flat(), [[1_000, "later"]])
    })
  )

  it.effect("resumes after the last step that a dead process completed", () =>
    Effect.gen(function* () {
      const { onSeparateSession } = yield* upToDate
      yield* Effect.gen(function* () {
        yield* resumesAfterDeath
        const sql = yield* SqlClient.SqlClient
        const found = yield* sql`SELECT 1 FROM sqlite_master WHERE name = 'work_by_one_more'`
        assert.strictEqual(found.length, 1)
      }).pipe(onSeparateSession)
    })
  )

  it.effect("lets an older version run, unless the migration excludes that version", () =>
    Effect.gen(function* () {
      const { onSeparateSession, filename } = yield* upToDate
      yield* Migrator.run([later]).pipe(onSeparateSession)
      yield* Layer.build(Layer.fresh(layer({ filename })))
      yield* incompatibleSince(2_000).pipe(onSeparateSession)
      const error = yield* Effect.flip(Layer.build(Layer.fresh(layer({ filename }))))
      assert.strictEqual(error._tag, "MigrationError")
      assert.match(error.message, /newer version of Verbatim.*start the newer version/)
    })
  )
})

describe("the migrations of a new SQLite database", () => {
  it.effect("report which step failed", () =>
    namesRefusedStep.pipe(
      Effect.provide(SqliteClient.layer({ filename: ":memory:" }), { local: true })
    )
  )

  it.effect("refuse tables from a build before the first release", () =>
    refusesUnreleased.pipe(
      Effect.provide(SqliteClient.layer({ filename: ":memory:" }), { local: true })
    )
  )
})

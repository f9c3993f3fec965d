/** A migration of a file outlives whoever runs it, and locks out code that is too old. */
import { assert, describe, it } from "@effect/vitest"
import { layer, SqliteClient } from "@verbatim/adapters/sqlite"
import { JobStore } from "@verbatim/core/ports"
import { creation, makeUploadJob, upTo } from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrator from "#src/sql/Migrator"
import {
  empty,
  goesOnBehindTheDead,
  incompatibleSince,
  later,
  namesRefusedStep,
  refusesUnreleased,
  remembered
} from "../sql/SampleMigration.ts"
import { newFile } from "./TemporaryDatabase.ts"

/** An up-to-date file, and a way to run an effect on a connection of its own. */
const upToDate = Effect.gen(function* () {
  const filename = yield* newFile
  yield* Layer.build(Layer.fresh(layer({ filename })))
  const client = Layer.fresh(SqliteClient.layer({ filename }))
  return { filename, beside: Effect.provide(client, { local: true }) }
})

/** The client, but something happens before the transaction of that number. */
const interrupted = <E>(number: number, event: Effect.Effect<unknown, E>) =>
  Effect.map(SqlClient.SqlClient, (sql) => {
    let transactions = 0
    const { withTransaction: ordinary } = sql
    const withTransaction = <A, F, R>(self: Effect.Effect<A, F, R>) =>
      Effect.suspend(() => {
        transactions += 1
        const before = transactions === number ? Effect.orDie(event) : Effect.void
        return Effect.andThen(before, ordinary(self))
      })
    return Object.assign(sql, { withTransaction })
  })

describe("a migration of a SQLite database", () => {
  it.live("is run once by many that start together", () =>
    Effect.gen(function* () {
      const { beside } = yield* upToDate
      const runs = yield* Effect.forEach(upTo(8), () => Migrator.run([later]).pipe(beside), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(runs.flat(), [[1_000, "later"]])
    })
  )

  it.effect("leaves out the steps that another took since it looked", () =>
    Effect.gen(function* () {
      const { beside } = yield* upToDate
      const other = Migrator.run([later]).pipe(beside)
      yield* Effect.gen(function* () {
        // The first transaction prepares, the second would take the first step.
        const sql = yield* interrupted(2, other)
        const run = Effect.provideService(Migrator.run([later]), SqlClient.SqlClient, sql)
        assert.deepStrictEqual(yield* run, [])
        assert.deepStrictEqual(yield* remembered, [[1_000, 3]])
      }).pipe(beside)
    })
  )

  it.effect("goes on after the last step of one that died", () =>
    Effect.gen(function* () {
      const { beside } = yield* upToDate
      yield* Effect.gen(function* () {
        yield* goesOnBehindTheDead
        const sql = yield* SqlClient.SqlClient
        const found = yield* sql`SELECT 1 FROM sqlite_master WHERE name = 'work_by_one_more'`
        assert.strictEqual(found.length, 1)
      }).pipe(beside)
    })
  )

  it.effect("fills the rows that are there, some at a time", () =>
    Effect.gen(function* () {
      const { beside, filename } = yield* upToDate
      yield* Effect.gen(function* () {
        const jobs = yield* JobStore
        for (const number of upTo(5)) yield* jobs.insert(creation(makeUploadJob(number)))
      }).pipe(Effect.provide(Layer.fresh(layer({ filename }))))
      yield* Effect.gen(function* () {
        yield* Migrator.run([later])
        assert.deepStrictEqual(yield* empty, [])
      }).pipe(beside)
    })
  )

  it.effect("of a newer version lets this one work, unless it says otherwise", () =>
    Effect.gen(function* () {
      const { beside, filename } = yield* upToDate
      yield* Migrator.run([later]).pipe(beside)
      yield* Layer.build(Layer.fresh(layer({ filename })))
      yield* incompatibleSince(2_000).pipe(beside)
      const error = yield* Effect.flip(Layer.build(Layer.fresh(layer({ filename }))))
      assert.strictEqual(error._tag, "MigrationError")
      assert.match(error.message, /newer version of Verbatim.*start the newer version/)
    })
  )
})

describe("the migrations of a new SQLite database", () => {
  it.effect("say at which step they failed", () =>
    namesRefusedStep.pipe(
      Effect.provide(SqliteClient.layer({ filename: ":memory:" }), { local: true })
    )
  )

  it.effect("refuse what an unreleased build has left", () =>
    refusesUnreleased.pipe(
      Effect.provide(SqliteClient.layer({ filename: ":memory:" }), { local: true })
    )
  )
})

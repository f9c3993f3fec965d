/** Whoever changes the names of a store is told that the first one is still there. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { layer as postgres } from "@verbatim/adapters/postgres"
import { layer as stores } from "@verbatim/adapters/sql"
import { SqliteClient, layer as sqlite } from "@verbatim/adapters/sqlite"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { newSchema, oneClient } from "../postgres/TemporarySchema.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"

/** The warnings of whoever opens these stores. */
const warnings = <E>(layer: Layer.Layer<never, E>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
      if (logLevel === "Warn") lines.push(String(message))
    })
    yield* Effect.scoped(Layer.build(Layer.fresh(layer))).pipe(
      Effect.provide(Logger.layer([logger]))
    )
    return lines.filter((line) => line.includes("tables"))
  })

describe("names that change later", () => {
  it.live("are told of in a file, once, and only where a store has others", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      assert.deepStrictEqual(yield* warnings(sqlite({ filename })), [])
      assert.deepStrictEqual(yield* warnings(sqlite({ filename })), [])
      assert.deepStrictEqual(yield* warnings(sqlite({ filename, tablePrefix: "vb_" })), [
        "New and empty tables are made in the database with the prefix vb_, and the database has " +
          "tables of Verbatim without a prefix: if those are meant, start again with their names."
      ])
      assert.deepStrictEqual(yield* warnings(sqlite({ filename, tablePrefix: "vb_" })), [])
      const overClient = Layer.provide(
        stores({ tablePrefix: "x_" }),
        SqliteClient.layer({ filename })
      )
      const [line = ""] = yield* warnings(overClient)
      assert.include(line, "without a prefix, with the prefix vb_: if those")
    })
  )

  it.live("are told of in a database of Postgres, by prefix and by schema", () =>
    Effect.gen(function* () {
      const { url } = yield* newSchema
      const name = `others_${Date.now().toString(36)}_${process.pid}`
      const sql = (statement: string) =>
        Effect.flatMap(SqlClient.SqlClient, (client) => client.unsafe(statement)).pipe(
          Effect.provide(oneClient({ url }), { local: true })
        )
      yield* sql(`CREATE DATABASE ${name}`)
      yield* Effect.addFinalizer(() => Effect.orDie(sql(`DROP DATABASE ${name} WITH (FORCE)`)))
      const place = new URL(Redacted.value(url))
      place.pathname = `/${name}`
      const own = Redacted.make(place.href)
      assert.deepStrictEqual(yield* warnings(postgres({ url: own, tablePrefix: "a_" })), [])
      const first = "in schema public with the prefix a_"
      assert.deepStrictEqual(yield* warnings(postgres({ url: own, schema: "later" })), [
        "New and empty tables are made in schema later without a prefix, and the database has " +
          `tables of Verbatim ${first}: if those are meant, start again with their names.`
      ])
      assert.deepStrictEqual(yield* warnings(postgres({ url: own, schema: "later" })), [])
      const overClient = Layer.provide(stores({ tablePrefix: "b_" }), PgClient.layer({ url: own }))
      const [line = ""] = yield* warnings(overClient)
      assert.include(line, `in schema later without a prefix, ${first}: if those`)
      yield* warnings(postgres({ url: own, tablePrefix: "c_" }))
      const [many = ""] = yield* warnings(postgres({ url: own, tablePrefix: "d_" }))
      assert.include(many, "prefix b_, in further places: if those")
    })
  )
})

/** What a host reads when its tables are in the way, and what is left of the try: nothing. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { PostgresClient, layer as postgres } from "@verbatim/adapters/postgres"
import { layer as stores, TableNames } from "@verbatim/adapters/sql"
import { SqliteClient, layer as sqlite } from "@verbatim/adapters/sqlite"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { newSchema, oneClient } from "../postgres/TemporarySchema.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"

const refusal = (layer: Layer.Layer<never, unknown>) =>
  Effect.map(Effect.flip(Effect.scoped(Layer.build(Layer.fresh(layer)))), (error) =>
    error instanceof Error ? error.message : String(error)
  )

const opens = (layer: Layer.Layer<never, unknown>) => Effect.scoped(Layer.build(Layer.fresh(layer)))

const hostFile = (statement: string) =>
  Effect.map(newFile, (filename) => {
    mkdirSync(dirname(filename))
    const database = new DatabaseSync(filename)
    database.exec(statement)
    database.close()
    return filename
  })

const inTheWay = "A table named jobs that is not Verbatim's is in the database: set tablePrefix."

describe("a file of a host", () => {
  it.live("whose table is in the way is left as it is, letter by letter", () =>
    Effect.gen(function* () {
      const filename = yield* hostFile("CREATE TABLE Jobs (note TEXT)")
      const before = readFileSync(filename)
      assert.strictEqual(yield* refusal(sqlite({ filename })), inTheWay)
      assert.isTrue(before.equals(readFileSync(filename)))
      yield* opens(sqlite({ filename, tablePrefix: "vb_" }))
    })
  )

  it.live("is left by a client of its own, too, but for that client's settings", () =>
    Effect.gen(function* () {
      const filename = yield* hostFile("CREATE TABLE jobs (note TEXT)")
      const layer = Layer.provide(stores(), SqliteClient.layer({ filename }))
      assert.strictEqual(yield* refusal(layer), inTheWay)
      const database = new DatabaseSync(filename)
      assert.strictEqual(database.prepare("SELECT name FROM sqlite_master").all().length, 1)
      database.close()
    })
  )

  it.live("may have a table of a later migration's name, which the sentence names", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      yield* opens(sqlite({ filename }))
      const database = new DatabaseSync(filename)
      // As if this database had stopped before that migration, and the host had made the table.
      database.exec("DELETE FROM verbatim_migrations WHERE migration_id = 5")
      database.exec("DELETE FROM verbatim_migration_steps WHERE migration_id = 5")
      database.close()
      assert.match(yield* refusal(sqlite({ filename })), /^A table named workers that is not/)
    })
  )

  it.live("that is none is told of as before", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      mkdirSync(dirname(filename))
      writeFileSync(filename, "not a database at all, but long enough to be looked at ".repeat(40))
      assert.match(yield* refusal(sqlite({ filename })), /SQLite could not open|Failed/)
    })
  )

  it.live("takes no schema, and no prefix that cannot be one", () =>
    Effect.gen(function* () {
      const filename = yield* newFile
      assert.match(yield* refusal(sqlite({ filename, tablePrefix: "A" })), /^The prefix of tables/)
      const layer = Layer.provide(
        stores({ schema: "x" }),
        SqliteClient.layer({ filename: ":memory:" })
      )
      assert.match(yield* refusal(layer), /^SQLite has no schemas/)
    })
  )
})

const relations = (config: PostgresClient.PostgresClientConfig) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly name: string }>`SELECT relname::text AS name FROM pg_class
      WHERE relnamespace = to_regnamespace(${config.schema ?? ""}) AND relkind = 'r'`
  ).pipe(
    Effect.map((rows) => rows.map(({ name }) => name).toSorted()),
    Effect.provide(oneClient(config), { local: true })
  )

/** A schema in which the host has a table of our name. */
const hostSchema: Effect.Effect<
  { readonly url: Redacted.Redacted; readonly schema: string },
  unknown,
  Scope.Scope
> = Effect.gen(function* () {
  const config = yield* newSchema
  const make = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE SCHEMA ${sql(config.schema)}`
    yield* sql`CREATE TABLE ${sql(config.schema)}.jobs (note TEXT)`
  })
  yield* Effect.provide(make, oneClient({ url: config.url }), { local: true })
  return config
})

describe("a schema of a host", () => {
  it.live("whose table is in the way keeps it, and gets none", () =>
    Effect.gen(function* () {
      const config = yield* hostSchema
      assert.strictEqual(
        yield* refusal(postgres(config)),
        `A table named jobs that is not Verbatim's is in schema ${config.schema}: set ` +
          "tablePrefix or schema."
      )
      assert.deepStrictEqual(yield* relations(config), ["jobs"])
      yield* opens(postgres({ ...config, tablePrefix: "vb_" }))
    })
  )

  it.live("is made for the client of Verbatim and for that of a host, and takes both", () =>
    Effect.gen(function* () {
      const ours = yield* newSchema
      yield* opens(Layer.provide(stores(), PostgresClient.layer(ours)))
      const { schema, url } = yield* newSchema
      yield* opens(Layer.provide(stores({ schema, tablePrefix: "vb_" }), PgClient.layer({ url })))
      const made = [...TableNames.tableNames].map((name) => `vb_${name}`).toSorted()
      assert.deepStrictEqual(yield* relations({ url, schema }), made)
    })
  )

  it.live("that is missing is told of where nobody named it", () =>
    Effect.gen(function* () {
      const { url } = yield* newSchema
      const options = encodeURIComponent("-c search_path=nowhere")
      const missing = `${Redacted.value(url)}?options=${options}`
      const config = { url: Redacted.make(missing) }
      assert.match(yield* refusal(postgres(config)), /^No schema in the search_path .*nowhere/)
    })
  )

  it.live("is never one that Postgres keeps for itself", () =>
    Effect.gen(function* () {
      const { url } = yield* newSchema
      assert.match(yield* refusal(postgres({ url, schema: "pg_x" })), /^The schema is/)
    })
  )
})

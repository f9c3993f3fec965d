/**
 * Tests that the error names the table if a host's table has a name that the stores need, and that
 * nothing changes.
 */
import { mkdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { PostgresClient, layer as postgres } from "@verbatim/adapters/postgres"
import { Migrations, layer as stores } from "@verbatim/adapters/sql"
import { SqliteClient, layer as sqlite } from "@verbatim/adapters/sqlite"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrator from "#src/sql/Migrator"
import { newSchema, oneClient } from "../postgres/TemporarySchema.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"

const { statements } = Migrations

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

const tableInTheWay =
  "A table named verbatim_jobs in the database does not belong to Verbatim: use a separate file."

describe("the host's file", () => {
  it.live("stays the same, byte by byte, if one of its tables has a name that Verbatim needs", () =>
    Effect.gen(function* () {
      const filename = yield* hostFile("CREATE TABLE Verbatim_Jobs (note TEXT)")
      const before = readFileSync(filename)
      assert.strictEqual(yield* refusal(sqlite({ filename })), tableInTheWay)
      assert.isTrue(before.equals(readFileSync(filename)))
    })
  )

  it.live(
    "is refused if a table has a name that a later migration needs, and the error says which",
    () =>
      Effect.gen(function* () {
        const filename = yield* newFile
        yield* opens(sqlite({ filename }))
        const database = new DatabaseSync(filename)
        database.exec("CREATE TABLE verbatim_more (note TEXT)")
        database.close()
        const making = statements(
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE verbatim_more (id TEXT)`)
        )
        const run = Migrator.run([{ id: 1_000, name: "later", steps: [making] }])
        const error = yield* Effect.flip(run).pipe(
          Effect.provide(SqliteClient.layer({ filename }), { local: true })
        )
        assert.match(error.message, /^A table named verbatim_more in the database does not belong/)
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

const makeSchema = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE SCHEMA ${sql(name)}`)

/** Creates a schema in which the host has a table with the name of a store's table. */
const hostSchema: Effect.Effect<
  { readonly url: Redacted.Redacted; readonly schema: string },
  unknown,
  Scope.Scope
> = Effect.gen(function* () {
  const config = yield* newSchema
  const make = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE SCHEMA ${sql(config.schema)}`
    yield* sql`CREATE TABLE ${sql(config.schema)}.verbatim_jobs (note TEXT)`
  })
  yield* Effect.provide(make, oneClient({ url: config.url }), { local: true })
  return config
})

describe("the host's schema", () => {
  it.live("keeps a table with a name that Verbatim needs, and gets no other tables", () =>
    Effect.gen(function* () {
      const config = yield* hostSchema
      assert.strictEqual(
        yield* refusal(postgres(config)),
        `A table named verbatim_jobs in schema ${config.schema} does not belong to Verbatim: set ` +
          "schema."
      )
      assert.deepStrictEqual(yield* relations(config), ["verbatim_jobs"])
    })
  )

  it.live("holds one installation, separate from those in other schemas", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* newSchema, yield* newSchema]
      yield* opens(Layer.provide(stores(), PostgresClient.layer(one)))
      const path = encodeURIComponent(`-c search_path=${other.schema}`)
      yield* Effect.provide(makeSchema(other.schema), oneClient({ url: other.url }))
      const url = Redacted.make(`${Redacted.value(other.url)}?options=${path}`)
      yield* opens(Layer.provide(stores(), PgClient.layer({ url })))
      const made = yield* relations(one)
      assert.include(made, "verbatim_jobs")
      assert.deepStrictEqual(yield* relations(other), made)
    })
  )

  it.live("is named in the error if it is missing, even if no option names it", () =>
    Effect.gen(function* () {
      const { url } = yield* newSchema
      const options = encodeURIComponent("-c search_path=nowhere")
      const missing = `${Redacted.value(url)}?options=${options}`
      const config = { url: Redacted.make(missing) }
      assert.match(yield* refusal(postgres(config)), /^No schema in the search_path .*nowhere/)
    })
  )

  it.live("cannot have a name reserved by Postgres", () =>
    Effect.gen(function* () {
      const { url } = yield* newSchema
      assert.match(yield* refusal(postgres({ url, schema: "pg_x" })), /^The schema is/)
    })
  )
})

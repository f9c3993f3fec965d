/**
 * Creates databases for tests, each in a separate schema. The schemas are on the server that
 * `DATABASE_URL` names, or else in this process's database on the server of this test run.
 */
import { randomUUID } from "node:crypto"
import { afterAll, inject } from "@effect/vitest"
import { layer, PostgresClient } from "@verbatim/adapters/postgres"
import type { Stores } from "@verbatim/core/ports"
import { instant } from "@verbatim/testkit/samples"
import { launch, type PostgresServer } from "@verbatim/testkit/servers"
import { DateTime, Duration, Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"

type Config = PostgresClient.PostgresClientConfig

const given = process.env.DATABASE_URL ?? ""

/** Whether other programs use the server too. Tests must then touch only their own schemas. */
export const isShared = given !== ""

let local: PostgresServer | undefined
let opened: Promise<string> | undefined
let needsOwn = false

/** Gives the tests in this file a separate server, which they can stop and configure. */
export const useOwnServer = () => {
  needsOwn = true
}

/** Returns the URL of another database on the same server. */
const withDatabase = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

const newName = () => `test_${randomUUID().replaceAll("-", "")}`

/** Creates a database on the server of this test run. */
const newDatabase = async (): Promise<string> => {
  const answer = await fetch(inject("postgres"))
  const server = await answer.text()
  if (!answer.ok) throw new Error(server)
  const name = newName()
  await Effect.runPromise(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`).pipe(
      Effect.provide(oneClient({ url: Redacted.make(server) }))
    )
  )
  return withDatabase(server, name)
}

const open = async (): Promise<string> => {
  if (isShared) return given
  if (!needsOwn) return newDatabase()
  local = await launch()
  return local.url
}

afterAll(() => local?.remove())

/**
 * The first test that needs the server starts it, because a test file does not know whether its
 * process also runs other files.
 */
const serverUrl = Effect.promise(() => {
  opened ??= open()
  return opened
})

/** Provides a client with a single session. */
export const oneClient = (config: Config) =>
  Layer.fresh(PostgresClient.layer({ ...config, maxConnections: 1 }))

/** Creates a name for a schema, which is deleted when the scope closes. */
export const newSchema: Effect.Effect<
  { readonly url: Redacted.Redacted; readonly schema: string },
  never,
  Scope.Scope
> = Effect.gen(function* () {
  const url = Redacted.make(yield* serverUrl)
  const schema = newName()
  // The schema is deleted only on a shared server; elsewhere, the whole database is dropped.
  if (isShared) yield* Effect.addFinalizer(() => Effect.orDie(dropped({ url, schema })))
  return { url, schema }
})

const dropped = ({ schema, url }: { readonly url: Redacted.Redacted; readonly schema: string }) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`
  ).pipe(Effect.provide(oneClient({ url })))

/**
 * Creates a schema with a clock that stands still until a test moves it. Returns the options for
 * the URL.
 */
const makeClock = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  const start = DateTime.toEpochMillis(instant)
  yield* sql`CREATE SCHEMA ${sql(schema)}`
  yield* sql`CREATE TABLE ${sql(schema)}.clock AS SELECT ${start}::bigint AS millis`
  yield* sql`CREATE FUNCTION ${sql(schema)}.clock_timestamp() RETURNS timestamptz LANGUAGE sql
    AS ${sql.literal(`'SELECT to_timestamp(millis / 1000.0) FROM ${schema}.clock'`)}`
  // Without `pg_catalog` at the end of the path, the server's own functions would take precedence
  // over those in the schema.
  return `?options=${encodeURIComponent(`-c search_path=${schema},pg_catalog`)}`
})

/** A new schema on the server, in which the server's clock stands still. */
export const newClock = Effect.gen(function* () {
  const { schema, url } = yield* newSchema
  const options = yield* Effect.provide(makeClock(schema), oneClient({ url }), { local: true })
  return { url: Redacted.make(`${Redacted.value(url)}${options}`) }
})

/**
 * A database with empty tables, in a schema with a stopped clock. The first test that needs this
 * database creates it. A copy takes 0.1 s of CPU time, whereas the migrations take 0.3 s.
 */
const template = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const server = yield* serverUrl
      const name = newName()
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE DATABASE ${sql(name)}`
      const url = withDatabase(server, name)
      const client = oneClient({ url: Redacted.make(url) })
      const options = yield* Effect.provide(makeClock(name), client, { local: true })
      const tables = layer({ url: Redacted.make(`${url}${options}`) })
      yield* Effect.scoped(Layer.build(Layer.fresh(tables)))
      return { name, options }
    })
  )
)

/** Copies the template database. The copy is deleted when the scope closes. */
const newCopy = Effect.gen(function* () {
  const server = yield* serverUrl
  const admin = oneClient({ url: Redacted.make(server) })
  const { name, options } = yield* Effect.provide(template, admin, { local: true })
  const copy = newName()
  const run = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
    Effect.flatMap(SqlClient.SqlClient, statement).pipe(Effect.provide(admin, { local: true }))
  yield* run((sql) => sql`CREATE DATABASE ${sql(copy)} TEMPLATE ${sql(name)}`)
  yield* Effect.addFinalizer(() =>
    // Sessions of the test may still be open, and the server may have stopped.
    Effect.ignore(run((sql) => sql`DROP DATABASE ${sql(copy)} WITH (FORCE)`))
  )
  return { url: Redacted.make(`${withDatabase(server, copy)}${options}`) }
})

/** Provides the stores in a clean schema with a stopped clock, and a client of this schema. */
export const onServer = Layer.unwrap(
  Effect.map(isShared ? newClock : newCopy, (config) =>
    Layer.merge(layer(config), oneClient(config))
  )
)

/** A time limit that no wait for a lock reaches. */
export const statementTimeout = Duration.minutes(10)

/** Provides the stores in a new schema, and a second session, with that time limit. */
export const onPatientServer = Layer.unwrap(
  Effect.map(newSchema, (config) =>
    Layer.merge(layer({ ...config, statementTimeout }), oneClient({ ...config, statementTimeout }))
  )
)

/**
 * Resets the schema to its state after the migrations, and sets the clock. Rows are deleted,
 * because truncating would create several new files per table, even for empty tables.
 */
const empty = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`DO $$
      DECLARE name text;
      BEGIN
        -- Without the checks of foreign keys: all rows go.
        SET LOCAL session_replication_role = replica;
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema()
          AND starts_with(tablename, 'verbatim_') AND tablename NOT IN
            ('verbatim_database_identity', 'verbatim_job_feed', 'verbatim_migrations')
        LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
        FOR name IN SELECT sequencename FROM pg_sequences
          WHERE schemaname = current_schema() AND last_value IS NOT NULL
        LOOP EXECUTE format('ALTER SEQUENCE %I RESTART', name); END LOOP;
      END $$`)
  yield* sql`UPDATE clock SET millis = ${DateTime.toEpochMillis(instant)}`
})

/** Provides stores for tests that use only ports. The schema may have been used before. */
export const emptied = (stores: (config: Config) => Layer.Layer<Stores, unknown>) => {
  // Migrated schemas that no test is using.
  const unused: Array<Config> = []
  return Layer.unwrap(
    Effect.gen(function* () {
      const kept = unused.pop()
      const config = kept ?? (yield* newClock)
      // On a shared server, each schema is deleted after its test.
      if (!isShared) yield* Effect.addFinalizer(() => Effect.sync(() => unused.push(config)))
      // The client's session empties the schema, because every new session costs the server 10 ms.
      const prepared = Layer.provideMerge(
        Layer.effectDiscard(kept === undefined ? Effect.void : empty),
        oneClient(config)
      )
      return Layer.provideMerge(stores(config), prepared)
    })
  )
}

/** Does the same as `onServer`, but the schema may have been used before. */
export const onEmptied = emptied((config) =>
  // The limit is long, because slow statements on a busy machine do not mean that the store is
  // faulty.
  layer({ ...config, statementTimeout: Duration.minutes(10) })
)

/** Moves the clock of the schema forward. */
export const advance = (duration: Duration.Duration) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE clock SET millis = millis + ${Duration.toMillis(duration)}`
  )

/** Provides the stores on two pools with one new schema. */
export const twoPools = Effect.gen(function* () {
  const config = yield* newSchema
  const open = Layer.build(Layer.fresh(layer(config)))
  return [yield* open, yield* open] as const
})

/** The server of one test file, which its tests can stop and start. */
export const server = Effect.map(serverUrl, (): PostgresServer => {
  if (local === undefined) throw new Error("the server is shared: useOwnServer()")
  return local
})

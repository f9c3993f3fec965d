/** Provides databases of both kinds as sources and targets of copies, and reads their contents. */
import { PostgresClient, PostgresCopy } from "@verbatim/adapters/postgres"
import { Migrations, type StoreCopy } from "@verbatim/adapters/sql"
import { SqliteClient, SqliteCopy } from "@verbatim/adapters/sqlite"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Statements } from "#src/sql/Statements"
import { newSchema } from "../postgres/TemporarySchema.ts"
import { newFile } from "../sqlite/TemporaryDatabase.ts"

type Client = Layer.Layer<SqlClient.SqlClient | Statements, SqlError.SqlError>

/** A column, as the database describes it. */
export interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  /** The column's position in the primary key, counted from 1, or 0 if it is not in the key. */
  readonly keyPlace: number
}

/** The location of a database, in a form that another process can receive. */
export interface Place {
  readonly kind: "Postgres" | "Sqlite"
  /** The path of the SQLite file, or the URL of the Postgres server. */
  readonly name: string
  readonly schema: string
}

/** A database for one test. */
export interface Endpoint {
  /** The location, which can be sent to another process. */
  readonly place: Place
  readonly client: Client
  readonly source: (options: { readonly isInUse: boolean }) => StoreCopy.CopySource
  readonly target: StoreCopy.CopyTarget
  readonly columns: Effect.Effect<ReadonlyArray<Column>, SqlError.SqlError, SqlClient.SqlClient>
}

const sqliteColumns = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Omit<Column, "isNullable"> & { readonly required: number }>`
    SELECT tables.name AS "table", columns.name AS name, columns.type AS type,
      columns."notnull" AS required, columns.pk AS "keyPlace"
    FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`
).pipe(Effect.map((rows) => rows.map((row) => ({ ...row, isNullable: row.required === 0 }))))

const postgresColumns = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Omit<Column, "isNullable"> & { readonly nullable: string }>`
    SELECT columns.table_name::text AS "table", columns.column_name::text AS name,
      columns.data_type::text AS type, columns.is_nullable::text AS nullable,
      COALESCE(array_position(pg_index.indkey::int[], columns.ordinal_position::int) + 1, 0)
        AS "keyPlace"
    FROM information_schema.columns AS columns
    LEFT JOIN pg_index ON indisprimary
      AND indrelid = (quote_ident(table_schema) || '.' || quote_ident(table_name))::regclass
    WHERE table_schema = current_schema()`
).pipe(Effect.map((rows) => rows.map((row) => ({ ...row, isNullable: row.nullable === "YES" }))))

/** Returns the database at a location. */
export const endpointAt = (place: Place): Endpoint => {
  if (place.kind === "Sqlite") {
    const config = { filename: place.name }
    return {
      place,
      client: SqliteClient.layer(config),
      source: (options) => SqliteCopy.source(config, options),
      target: SqliteCopy.target(config),
      columns: sqliteColumns
    }
  }
  const config = { url: Redacted.make(place.name), schema: place.schema }
  return {
    place,
    client: oneClient(config),
    source: (options) => PostgresCopy.source(config, options),
    target: PostgresCopy.target(config),
    columns: postgresColumns
  }
}

const oneClient = (config: PostgresClient.PostgresClientConfig) =>
  Layer.fresh(PostgresClient.layer({ ...config, maxConnections: 1 }))

/** Runs an effect in a separate session. */
export const at = (end: Endpoint) => Effect.provide(end.client, { local: true })

/** Migrates a database to the current schema. */
export const migrate = (end: Endpoint) =>
  Effect.gen(function* () {
    yield* Effect.scoped(end.target.open)
    yield* Migrations.run.pipe(at(end))
  })

/** Tables that are not copied. */
const own = new RegExp(
  "^verbatim_(migrations|job_feed|job_deletions|workers|retention_turn|database_identity|" +
    "request_rates|paused_tasks|search_texts_words.*)$"
)

/** Columns that are empty in a copy. */
const remaining = new Set([
  "verbatim_job_history.ordinal",
  "verbatim_media_mark.owner",
  "verbatim_work.lease_until",
  "verbatim_work.token",
  "verbatim_work.progress"
])

/**
 * Returns every row of every copied table as text. The tables are found in the database's own
 * catalogue.
 */
export const dump = Effect.fnUntraced(function* (end: Endpoint) {
  const columns = yield* end.columns.pipe(at(end))
  const tables = Map.groupBy(columns, ({ table }) => table)
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const { sql } = yield* end.source({ isInUse: true }).open
      const found: Record<string, ReadonlyArray<string>> = {}
      for (const [table, all] of tables) {
        if (own.test(table)) continue
        const names = all.map(({ name }) => name).sort()
        const kept = names.filter((name) => !remaining.has(`${table}.${name}`))
        const rows = yield* sql.unsafe(`SELECT ${kept.join(", ")} FROM ${table}`).values
        found[table] = rows.map((row) => row.map(tell).join(" | ")).sort()
      }
      return found
    })
  )
})

const tell = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value) : String(value)

/** Creates a new SQLite file. */
export const newSqlite: Effect.Effect<Endpoint, never, Scope.Scope> = Effect.map(newFile, (name) =>
  endpointAt({ kind: "Sqlite", name, schema: "" })
)

/** Creates a new schema on the test server. */
export const newPostgres: Effect.Effect<Endpoint, never, Scope.Scope> = Effect.map(
  newSchema,
  ({ schema, url }) => endpointAt({ kind: "Postgres", name: Redacted.value(url), schema })
)

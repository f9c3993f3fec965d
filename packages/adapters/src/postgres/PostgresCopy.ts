/** Copies from or to a Postgres database. */
import { Duration, Effect, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import {
  type CopyError,
  type CopySource,
  type CopyTarget,
  copyError,
  type InsertSyntax,
  type OpenSource,
  type SourceOptions
} from "../sql/copy/CopyEndpoints.ts"
import { isLocked } from "../sql/migration/MigrationError.ts"
import { storeTables } from "../sql/StoreTables.ts"
import * as PostgresClient from "./PostgresClient.ts"
import { postgresStatements } from "./PostgresStatements.ts"
import type { PostgresStoresConfig } from "./PostgresStores.ts"
import { ensureSchema } from "./statements/Tables.ts"

type Config = PostgresStoresConfig
type Sql = SqlClient.SqlClient

/** The name of the copy's database sessions. No other process uses this name. */
const applicationName = "verbatim copy"

/**
 * Creates a client with one session. Statements have no time limit, because tables can be large.
 */
const makeClient = (config: Config) =>
  PostgresClient.make({
    ...config,
    applicationName,
    maxConnections: 1,
    statementTimeout: Duration.infinity
  }).pipe(Effect.provide(Reactivity.layer))

/** Identifies a server by its start time. Reading this time needs no privileges. */
const identity = (config: Config): Effect.Effect<string, SqlError.SqlError> =>
  Effect.gen(function* () {
    const sql = yield* makeClient(config)
    const [row] = yield* sql`SELECT pg_postmaster_start_time()::text, current_database(),
      current_schema()`.values
    return `postgres ${row?.join(" ")}`
  }).pipe(Effect.scoped)

/**
 * Maximum wait for a lock. If another transaction holds a lock for longer, the database is in use.
 */
const lockTimeout = (sql: Sql) => sql`SET LOCAL lock_timeout = '5s'`

const names = (sql: Sql, tables: ReadonlyArray<string>) => sql.literal(tables.join(", "))

/** Finds sessions of other Verbatim processes in the same database. */
const findUsers = (sql: Sql) =>
  sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = ${PostgresClient.applicationName} LIMIT 1`

/**
 * Finds those of the stores' tables that exist. A database of an older version lacks some tables,
 * and is refused later.
 */
const findTables = (sql: Sql) =>
  Effect.filter(
    storeTables.map(({ name }) => name),
    (name) => postgresStatements.schema.hasTable(sql, name)
  )

/**
 * Blocks writers until the transaction ends. Writers are blocked before the transaction's snapshot
 * is taken.
 */
const keepOut = Effect.fnUntraced(function* (sql: Sql, tables: ReadonlyArray<string>) {
  if (tables.length === 0) return
  yield* lockTimeout(sql)
  yield* sql`LOCK TABLE ${names(sql, tables)} IN SHARE MODE`.pipe(
    Effect.catchIf(isLocked, () => Effect.fail(copyError({ _tag: "SourceInUse" })))
  )
})

const openSource = Effect.fnUntraced(function* (
  config: Config,
  { isInUse }: SourceOptions
): Effect.fn.Return<OpenSource, CopyError | SqlError.SqlError, Scope.Scope> {
  const sql = yield* makeClient(config)
  const begin = sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`
  const withSnapshot: OpenSource["withSnapshot"] = (use) =>
    sql.withTransaction(Effect.andThen(begin, use))
  if (isInUse) return { sql, withSnapshot }
  const users = yield* findUsers(sql)
  if (users.length > 0) return yield* copyError({ _tag: "SourceInUse" })
  const tables = yield* findTables(sql)
  return { sql, withSnapshot: (use) => withSnapshot(Effect.andThen(keepOut(sql, tables), use)) }
})

/** Creates the source of a copy. */
export const source = (config: Config, options: SourceOptions): CopySource => ({
  identity: identity(config),
  open: openSource(config, options),
  statements: postgresStatements
})

const insertSyntax: InsertSyntax = {
  placeholder: (number) => `$${number}`,
  explicitSequence: "OVERRIDING SYSTEM VALUE",
  afterRows: (sql, table, column) => sql`SELECT setval(
    pg_get_serial_sequence(${table}, ${column}),
    (SELECT MAX(${sql(column)}) FROM ${sql(table)}))`,
  canStore: (text) => !text.includes("\0")
}

/** Creates the target of a copy. The database must exist on the server. */
export const target = (config: Config): CopyTarget => ({
  identity: identity(config),
  open: Effect.gen(function* () {
    const sql = yield* makeClient(config)
    yield* ensureSchema(sql, config.schema)
    return {
      sql,
      withExclusiveAccess: (tables, use) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* lockTimeout(sql)
            yield* sql`SELECT pg_advisory_xact_lock(hashtext('verbatim'), hashtext(
              'copy into ' || current_schema()))`
            if (tables.length > 0) {
              yield* sql`LOCK TABLE ${names(sql, tables)} IN EXCLUSIVE MODE`
            }
            return yield* use
          })
        )
    }
  }),
  statements: postgresStatements,
  insertSyntax
})

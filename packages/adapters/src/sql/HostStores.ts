/**
 * Provides the stores in a host's database, over the host's own client: any `SqlClient` for
 * Postgres or SQLite (docs/decisions/0027).
 *
 *     Sql.layer().pipe(Layer.provide(PgClient.layer({ url })))
 */
import type { Stores } from "@verbatim/core/ports"
import { Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { postgresStatements } from "../postgres/PostgresStatements.ts"
import { sqliteStatements } from "../sqlite/SqliteStatements.ts"
import { capabilitiesOf } from "./ClientCapabilities.ts"
import { makeExact } from "./host/ExactClient.ts"
import * as Migrations from "./Migrations.ts"
import { SchemaMonitor } from "./Migrations.ts"
import { type MigrationError, migrationError } from "./migration/MigrationError.ts"
import { requireStableSessions } from "./migration/PoolerCheck.ts"
import * as SqlCorrectionStore from "./SqlCorrectionStore.ts"
import * as SqlJobStore from "./SqlJobStore.ts"
import * as SqlOperatorKeyStore from "./SqlOperatorKeyStore.ts"
import * as SqlPresetStore from "./SqlPresetStore.ts"
import * as SqlRateLimiterStore from "./SqlRateLimiterStore.ts"
import * as SqlRetentionStore from "./SqlRetentionStore.ts"
import * as SqlWorkerRegistry from "./SqlWorkerRegistry.ts"
import * as SqlWorkQueue from "./SqlWorkQueue.ts"
import * as SqlWorkspaceStore from "./SqlWorkspaceStore.ts"
import { Statements } from "./Statements.ts"

/** Provides the stores over a database that has the current schema. */
export const migratedStores: Layer.Layer<Stores, never, SqlClient.SqlClient | Statements> =
  Layer.mergeAll(
    SqlCorrectionStore.layer,
    SqlJobStore.layer,
    SqlOperatorKeyStore.layer,
    SqlPresetStore.layer,
    SqlRateLimiterStore.layer,
    SqlRetentionStore.layer,
    SqlWorkerRegistry.layer,
    SqlWorkQueue.layer,
    SqlWorkspaceStore.layer
  )

/** The reasons why the stores cannot use a host's client. */
export type HostStoresError = MigrationError | SqlError.SqlError

const refuse = (sentence: string) => Effect.fail(migrationError({ _tag: "Unfit", sentence }))

const statementsOf = (client: SqlClient.SqlClient) =>
  client.onDialectOrElse({
    pg: () => postgresStatements,
    sqlite: () => sqliteStatements,
    orElse: () => undefined
  })

/** Deleting a job relies on foreign keys, which SQLite enforces only if this setting is on. */
const requireForeignKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [row] = yield* sql`PRAGMA foreign_keys`
  if (row?.foreign_keys !== 1) {
    yield* refuse("The SQLite client has foreign keys off: run PRAGMA foreign_keys = ON on it.")
  }
})

/** Returns the client, with the statements for the client's database. */
const prepareClient = Effect.gen(function* () {
  const client = yield* SqlClient.SqlClient
  const known = statementsOf(client)
  if (known === undefined) {
    return yield* refuse("The database of the client is neither Postgres nor SQLite.")
  }
  const sql = makeExact(client)
  if (known === sqliteStatements && !capabilitiesOf(client).isOurs) yield* requireForeignKeys(sql)
  const statements = yield* Effect.serviceOption(Statements)
  return { sql, statements: Option.getOrElse(statements, () => known) }
})

/** Provides the client to the stores, with the statements for the client's database. */
export const client = (): Layer.Layer<
  SqlClient.SqlClient | Statements,
  HostStoresError,
  SqlClient.SqlClient
> =>
  Layer.unwrap(
    Effect.map(prepareClient, ({ sql, statements }) =>
      Layer.merge(Layer.succeed(SqlClient.SqlClient, sql), Layer.succeed(Statements, statements))
    )
  )

/** Refuses a connection pooler that switches Postgres sessions between transactions. */
const refusePoolers = Layer.effectDiscard(
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    statementsOf(sql) === postgresStatements ? requireStableSessions(sql) : Effect.void
  )
)

/**
 * Provides the stores in a client's database, which is first migrated to the current schema. The
 * host's tables stay unchanged; if a host's table has a name that the stores need, the layer fails
 * with an error that names the table.
 */
export const layer = (): Layer.Layer<
  Stores | SchemaMonitor,
  HostStoresError,
  SqlClient.SqlClient
> =>
  Layer.merge(migratedStores, SchemaMonitor.layer).pipe(
    Layer.provideMerge(Migrations.layer),
    Layer.provide(refusePoolers),
    Layer.provide(client())
  )

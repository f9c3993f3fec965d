/**
 * The stores in a database of the host, over the host's own client: any `SqlClient` of Postgres or
 * SQLite (docs/decisions/0027).
 *
 *     Sql.layer().pipe(Layer.provide(PgClient.layer({ url })))
 */
import type { Stores } from "@verbatim/core/ports"
import { Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { postgresStatements } from "../postgres/PostgresStatements.ts"
import { sqliteStatements } from "../sqlite/SqliteStatements.ts"
import { traitsOf } from "./ClientTraits.ts"
import { makeExact } from "./host/ExactClient.ts"
import * as Migrations from "./Migrations.ts"
import { mustKeepSessions } from "./migration/KeptSessions.ts"
import { MigrationError, reasons } from "./migration/MigrationError.ts"
import { SchemaStanding } from "./SchemaStanding.ts"
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

/** The stores over a database that has the current schema. */
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

/** The databases that the stores know. */
export type Dialect = "pg" | "sqlite"

/** How the stores use a database that is not theirs alone. */
export interface HostOptions {
  /** Which database it is, where the client calls it by another name. */
  readonly dialect?: Dialect | undefined
}

/** What a host's client is refused for. */
export type HostStoresError = MigrationError | SqlError.SqlError

const refuse = (sentence: string) =>
  Effect.fail(new MigrationError({ reason: reasons.Unfit.make({ sentence }) }))

const dialectOf = (client: SqlClient.SqlClient): Dialect | undefined =>
  client.onDialectOrElse<Dialect | undefined, Dialect | undefined, Dialect | undefined>({
    pg: () => "pg",
    sqlite: () => "sqlite",
    orElse: () => undefined
  })

/** A job takes with it what refers to it, which SQLite does only where it is told to. */
const mustHaveForeignKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [row] = yield* sql`PRAGMA foreign_keys`
  if (row?.foreign_keys !== 1) {
    yield* refuse("The client of SQLite has foreign keys off: run PRAGMA foreign_keys = ON on it.")
  }
})

/** The client with the statements of its database. */
const fit = Effect.fnUntraced(function* ({ dialect: given }: HostOptions) {
  const client = yield* SqlClient.SqlClient
  const dialect = given ?? dialectOf(client)
  if (dialect === undefined) {
    return yield* refuse("The database of the client is neither Postgres nor SQLite.")
  }
  const sql = makeExact(client)
  if (dialect === "sqlite" && !traitsOf(client).isOurs) yield* mustHaveForeignKeys(sql)
  const statements = yield* Effect.serviceOption(Statements)
  const known = dialect === "pg" ? postgresStatements : sqliteStatements
  return { sql, statements: Option.getOrElse(statements, () => known) }
})

/** A client with the statements of its database, for the stores below. */
export const client = (
  options: HostOptions = {}
): Layer.Layer<SqlClient.SqlClient | Statements, HostStoresError, SqlClient.SqlClient> =>
  Layer.unwrap(
    Effect.map(fit(options), ({ sql, statements }) =>
      Layer.merge(Layer.succeed(SqlClient.SqlClient, sql), Layer.succeed(Statements, statements))
    )
  )

/** Refuses sessions of Postgres that a pooler exchanges. */
const keptSessions = ({ dialect }: HostOptions) =>
  Layer.effectDiscard(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      (dialect ?? dialectOf(sql)) === "pg" ? mustKeepSessions(sql) : Effect.void
    )
  )

/**
 * The stores in the database of a client, which is brought to the current schema first. Tables of
 * the host are left alone; where one has a name that we need, that is refused in one sentence.
 */
export const layer = (
  options: HostOptions = {}
): Layer.Layer<Stores | SchemaStanding, HostStoresError, SqlClient.SqlClient> =>
  Layer.merge(migratedStores, SchemaStanding.layer).pipe(
    Layer.provideMerge(Migrations.layer),
    Layer.provide(keptSessions(options)),
    Layer.provide(client(options))
  )

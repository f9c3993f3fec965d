/** Provides the stores in one Postgres database, over Verbatim's own sessions. */
import type { Stores } from "@verbatim/core/ports"
import { Duration, Effect, Layer } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql"
import * as Sql from "../sql/index.ts"
import { migrationError } from "../sql/migration/MigrationError.ts"
import { requireStableSessions } from "../sql/migration/PoolerCheck.ts"
import { problemOf } from "../sql/SchemaName.ts"
import { activeMax } from "./gather/Batching.ts"
import { hostTransactions } from "./HostTransaction.ts"
import * as PostgresClient from "./PostgresClient.ts"

/** The reasons why the database could not be reached or migrated. */
export type PostgresStoresError = Sql.HostStoresError

/** Options for connecting to the stores' database. */
export interface PostgresStoresConfig extends PostgresClient.PostgresClientConfig {}

/** Refuses an invalid schema name before any connection is opened. */
const checkSchema = ({ schema }: PostgresStoresConfig) => {
  const sentence = problemOf(schema)
  return sentence === undefined
    ? Effect.void
    : Effect.fail(migrationError({ _tag: "Unfit", sentence }))
}

/** Refuses unsuitable options and connection poolers before anything is written. */
const fit = (config: PostgresStoresConfig) =>
  Layer.effectDiscard(
    Effect.andThen(
      checkSchema(config),
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        requireStableSessions(sql, config.maxConnections === 1 ? 1 : 2)
      )
    )
  )

/**
 * Runs migrations on a separate session. Migration statements have no time limit, except in steps
 * that would block other transactions; such steps have their own limits.
 */
const migrations = (config: PostgresStoresConfig) => {
  const session = { ...config, maxConnections: 1, statementTimeout: Duration.infinity }
  const client = Layer.provide(Sql.client(), PostgresClient.layer(session))
  return Layer.effectDiscard(Effect.provide(Sql.Migrations.run, client, { local: true }))
}

/**
 * Maximum number of sessions for each purpose: lease renewals need one statement every ten seconds,
 * and at most two batched and two long statements run at a time.
 */
const sessions = { renewals: 1, endings: activeMax, longEndings: 2 }

/**
 * Creates the pools of reserved sessions. Sessions are opened when needed, so a process that runs
 * no jobs never opens any.
 */
const makeReserved = (config: PostgresStoresConfig) => {
  const client = (maxConnections: number) => PostgresClient.make({ ...config, maxConnections })
  return Layer.effect(Sql.ReservedSessions)(
    Effect.gen(function* () {
      return {
        renewals: yield* client(sessions.renewals),
        endings: yield* client(sessions.endings),
        longEndings: yield* client(sessions.longEndings)
      }
    })
  ).pipe(Layer.provide(Reactivity.layer))
}

/** Provides the stores in the database at the URL. */
export const layer = (
  config: PostgresStoresConfig
): Layer.Layer<Sql.HostTransaction | Stores | Sql.SchemaMonitor, PostgresStoresError> =>
  Layer.mergeAll(Sql.migratedStores, Sql.SchemaMonitor.layer, hostTransactions).pipe(
    Layer.provide(makeReserved(config)),
    Layer.provide(Sql.client()),
    Layer.provide(migrations(config)),
    Layer.provide(fit(config)),
    Layer.provide(PostgresClient.layer(config))
  )

/**
 * Everything in one Postgres database: the stores for many processes on many machines.
 */
import type { Stores } from "@verbatim/core/ports"
import { Config, Duration, Effect, Layer } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlError } from "effect/sql"
import * as Sql from "../sql/index.ts"
import { underwayMax } from "./gather/Gathered.ts"
import { hostTransactions } from "./HostTransaction.ts"
import * as PostgresClient from "./PostgresClient.ts"
import { ensureSchema } from "./Schema.ts"

export { hostTransactions, within } from "./HostTransaction.ts"
export type { HostConnection } from "./host/HostQueries.ts"
export * as PoolClient from "./PoolClient.ts"
export * as PostgresClient from "./PostgresClient.ts"
export * as PostgresCopy from "./PostgresCopy.ts"
/** For a client of Postgres other than ours. */
export { postgresStatements as statements } from "./PostgresStatements.ts"

/** Why the database could not be reached or brought to the current schema. */
export type PostgresStoresError = Sql.Migrations.MigrationError | SqlError.SqlError

/**
 * Migrations run on a session of their own. Its statements may take as long as they need, except
 * where others would wait for them: there the steps have limits of their own.
 */
const migrations = (config: PostgresClient.PostgresClientConfig) =>
  Layer.effectDiscard(
    Effect.andThen(ensureSchema(config.schema), Sql.Migrations.run).pipe(
      Effect.provide(
        PostgresClient.layer({ ...config, connectionsMax: 1, statementTimeout: Duration.infinity }),
        { local: true }
      )
    )
  )

/**
 * Most sessions for each purpose: renewals are one statement every ten seconds, two shared
 * statements are on their way at a time, and two of those that may take long run side by side.
 */
const sessions = { renewals: 1, endings: underwayMax, longEndings: 2 }

/** They are opened when needed: never by a process that does no work. */
const makeReserved = (config: PostgresClient.PostgresClientConfig) => {
  const client = (connectionsMax: number) => PostgresClient.make({ ...config, connectionsMax })
  return Layer.effect(Sql.ReservedSessions.ReservedSessions)(
    Effect.gen(function* () {
      return {
        renewals: yield* client(sessions.renewals),
        endings: yield* client(sessions.endings),
        longEndings: yield* client(sessions.longEndings)
      }
    })
  ).pipe(Layer.provide(Reactivity.layer))
}

/** The stores in the database of that URL. */
export const layer = (
  config: PostgresClient.PostgresClientConfig
): Layer.Layer<Sql.HostTransaction | Stores | Sql.SchemaStanding, PostgresStoresError> =>
  Layer.mergeAll(Sql.migratedStores, Sql.SchemaStanding.layer, hostTransactions).pipe(
    Layer.provide(makeReserved(config)),
    Layer.provide(PostgresClient.layer(config)),
    Layer.provide(migrations(config))
  )

/** The stores in the database that the configuration names. */
export const layerConfig = (
  config: Config.Wrap<PostgresClient.PostgresClientConfig>
): Layer.Layer<
  Sql.HostTransaction | Stores | Sql.SchemaStanding,
  PostgresStoresError | Config.ConfigError
> => Layer.unwrap(Effect.map(Config.unwrap(config), layer))

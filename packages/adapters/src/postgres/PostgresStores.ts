/**
 * The stores in one Postgres database, on sessions of their own.
 */
import type { Stores } from "@verbatim/core/ports"
import { Duration, Effect, Layer } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql"
import * as Sql from "../sql/index.ts"
import { mustKeepSessions } from "../sql/migration/KeptSessions.ts"
import { MigrationError, reasons } from "../sql/migration/MigrationError.ts"
import { problemOf } from "../sql/SchemaName.ts"
import { underwayMax } from "./gather/Gathered.ts"
import { hostTransactions } from "./HostTransaction.ts"
import * as PostgresClient from "./PostgresClient.ts"

/** Why the database could not be reached or brought to the current schema. */
export type PostgresStoresError = Sql.HostStoresError

/** Where the stores are. */
export interface PostgresStoresConfig extends PostgresClient.PostgresClientConfig {}

/** Refuses a name that the database could not keep, before anything is opened. */
const checkSchema = ({ schema }: PostgresStoresConfig) => {
  const sentence = problemOf(schema)
  const reason = reasons.Unfit.make({ sentence: sentence ?? "" })
  return sentence === undefined ? Effect.void : Effect.fail(new MigrationError({ reason }))
}

/** Refuses what cannot serve before anything is written. */
const fit = (config: PostgresStoresConfig) =>
  Layer.effectDiscard(
    Effect.andThen(
      checkSchema(config),
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        mustKeepSessions(sql, config.connectionsMax === 1 ? 1 : 2)
      )
    )
  )

/**
 * Migrations run on a session of their own. Its statements may take as long as they need, except
 * where others would wait for them: there the steps have limits of their own.
 */
const migrations = (config: PostgresStoresConfig) => {
  const session = { ...config, connectionsMax: 1, statementTimeout: Duration.infinity }
  const client = Layer.provide(Sql.client(), PostgresClient.layer(session))
  return Layer.effectDiscard(Effect.provide(Sql.Migrations.run, client, { local: true }))
}

/**
 * Most sessions for each purpose: renewals are one statement every ten seconds, two shared
 * statements are on their way at a time, and two of those that may take long run side by side.
 */
const sessions = { renewals: 1, endings: underwayMax, longEndings: 2 }

/** They are opened when needed: never by a process that does no work. */
const makeReserved = (config: PostgresStoresConfig) => {
  const client = (connectionsMax: number) => PostgresClient.make({ ...config, connectionsMax })
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

/** The stores in the database of that URL. */
export const layer = (
  config: PostgresStoresConfig
): Layer.Layer<Sql.HostTransaction | Stores | Sql.SchemaStanding, PostgresStoresError> =>
  Layer.mergeAll(Sql.migratedStores, Sql.SchemaStanding.layer, hostTransactions).pipe(
    Layer.provide(makeReserved(config)),
    Layer.provide(Sql.client()),
    Layer.provide(migrations(config)),
    Layer.provide(fit(config)),
    Layer.provide(PostgresClient.layer(config))
  )

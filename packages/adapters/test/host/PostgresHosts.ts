/** Provides hosts on Postgres, each with its own client and its own kind of transaction. */

import { PgClient } from "@effect/sql-pg"
import type { HostConnection } from "@verbatim/adapters/postgres"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import * as EffectSql from "./clients/EffectSql.ts"
import * as Pg from "./clients/Pg.ts"

/** Thrown to roll a transaction back. */
export class Undo extends Error {}

/** Runs one of the host's statements. */
export type RunOwnStatement = (text: string, values: Array<unknown>) => PromiseLike<unknown>

/** Runs work in a transaction, and rolls it back if the work rejects. */
type Transact = <A>(
  work: (connection: HostConnection, own: RunOwnStatement) => Promise<A>
) => Promise<A>

/** A host program, with its own Postgres client and its own transactions. */
export interface Host {
  readonly transact: Transact
  readonly close: () => Promise<void>
}

const sessionsMax = 6

const newPool = (url: string) => {
  const pool = new pg.Pool({ connectionString: url, max: sessionsMax })
  // The server may end idle sessions, which is irrelevant to these tests.
  pool.on("error", () => undefined)
  return pool
}

const withPg = (url: string): Host => {
  const pool = newPool(url)
  return {
    transact: (work) =>
      Pg.transact(pool, (client) => work(client, (text, values) => client.query(text, values))),
    close: () => pool.end()
  }
}

const withEffectSql = (url: string): Host => {
  const runtime = ManagedRuntime.make(PgClient.layer({ url: Redacted.make(url) }))
  return {
    transact: (work) =>
      runtime.runPromise(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.flatMap(EffectSql.connectionOf(sql), (connection) =>
            Effect.tryPromise({
              try: () => work(connection, connection.query),
              catch: (error) => error
            })
          ).pipe(sql.withTransaction)
        )
      ),
    close: () => runtime.dispose()
  }
}

const clients = {
  pg: withPg,
  "an Effect client": withEffectSql
}

/** The clients that a host can choose. */
export const clientNames = Object.keys(clients) as ReadonlyArray<keyof typeof clients>

export const openClient = (name: keyof typeof clients, url: string): Host => clients[name](url)

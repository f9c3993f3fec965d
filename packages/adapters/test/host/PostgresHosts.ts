/** Hosts on Postgres, each with the client that it has chosen, in transactions as it makes them. */

import { PgClient } from "@effect/sql-pg"
import type { HostConnection } from "@verbatim/adapters/postgres"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import * as EffectSql from "./clients/EffectSql.ts"
import * as Pg from "./clients/Pg.ts"

/** Rolls back. */
export class Undo extends Error {}

/** A statement of the host's own. */
export type Own = (text: string, values: Array<unknown>) => PromiseLike<unknown>

/** Work in a transaction: it is rolled back if the work rejects. */
type Transact = <A>(work: (connection: HostConnection, own: Own) => Promise<A>) => Promise<A>

/** A host with a client. */
export interface Host {
  readonly transact: Transact
  readonly close: () => Promise<void>
}

const sessionsMax = 6

const newPool = (url: string) => {
  const pool = new pg.Pool({ connectionString: url, max: sessionsMax })
  // A session that the server ends while it is idle is no concern of these tests.
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
  "a client of Effect": withEffectSql
}

/** What a host may have chosen. */
export const clientNames = Object.keys(clients) as ReadonlyArray<keyof typeof clients>

/** Opens a client. */
export const openClient = (name: keyof typeof clients, url: string): Host => clients[name](url)

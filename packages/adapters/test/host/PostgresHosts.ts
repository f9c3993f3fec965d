/** Hosts on Postgres, each with the client that it has chosen, in transactions as it makes them. */

import { PgClient } from "@effect/sql-pg"
import type { HostConnection } from "@verbatim/adapters/postgres"
import {
  fromDrizzle,
  fromKysely,
  fromPrisma,
  type PrismaTransaction
} from "@verbatim/embed/transactions"
import { drizzle } from "drizzle-orm/node-postgres"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Kysely as Database, PostgresDialect } from "kysely"
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

const withKysely = (url: string): Host => {
  const database = new Database<never>({ dialect: new PostgresDialect({ pool: newPool(url) }) })
  return {
    transact: (work) =>
      database.transaction().execute((transaction) => {
        const connection = fromKysely(transaction)
        return work(connection, connection.query)
      }),
    close: () => database.destroy()
  }
}

const withDrizzle = (url: string): Host => {
  const pool = newPool(url)
  const database = drizzle({ client: pool })
  return {
    transact: (work) =>
      database.transaction((transaction) => {
        const connection = fromDrizzle(transaction)
        return work(connection, connection.query)
      }),
    close: () => pool.end()
  }
}

const types = pg.types.builtins

/** Reads values as Prisma does: 64 bits as `bigint`, JSON and instants as objects. */
const readLikePrisma = (oid: number) => (text: string) => {
  if (oid === types.INT8) return BigInt(text)
  return pg.types.getTypeParser(oid)(text)
}

/**
 * What `$queryRawUnsafe` of Prisma takes and gives, over `pg`: its own engine cannot be had here.
 * A failure carries the server's answer in `meta`, as Prisma's does.
 */
const withPrismaShape = (url: string): Host => {
  const pool = newPool(url)
  const getTypeParser = ((oid: number) => readLikePrisma(oid)) as typeof pg.types.getTypeParser
  const prismaOn = (client: pg.PoolClient): PrismaTransaction => ({
    $queryRawUnsafe: async <A>(text: string, ...values: Array<unknown>) => {
      try {
        const { rows } = await client.query({ text, values, types: { getTypeParser } })
        return rows as A
      } catch (error) {
        const { code, message } = error as { readonly code?: string; readonly message: string }
        throw Object.assign(new Error("Raw query failed"), {
          code: "P2010",
          meta: { code, message }
        })
      }
    }
  })
  return {
    transact: (work) =>
      Pg.transact(pool, (client) => {
        const connection = fromPrisma(prismaOn(client))
        return work(connection, connection.query)
      }),
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
  kysely: withKysely,
  drizzle: withDrizzle,
  "the shape of Prisma": withPrismaShape,
  "a client of Effect": withEffectSql
}

/** What a host may have chosen. */
export const clientNames = Object.keys(clients) as ReadonlyArray<keyof typeof clients>

/** Opens a client. */
export const openClient = (name: keyof typeof clients, url: string): Host => clients[name](url)

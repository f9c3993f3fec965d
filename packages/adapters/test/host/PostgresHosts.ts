/** Hosts on Postgres, each with the client that it has chosen, in transactions as it makes them. */
import type { HostConnection } from "@verbatim/adapters/postgres"
import { sql as drizzleSql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { CompiledQuery, Kysely, PostgresDialect } from "kysely"
import pg from "pg"

/** Rolls back. */
export class Undo extends Error {}

/** A statement of the host's own. */
export type Own = (text: string, values: Array<unknown>) => Promise<unknown>

/** Work in a transaction: it is rolled back if the work rejects. */
export type Transact = <A>(work: (connection: HostConnection, own: Own) => Promise<A>) => Promise<A>

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

/** A transaction on a session of a pool, begun and ended by hand. */
const onSession = async <A>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<A>) => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const done = await work(client)
    await client.query("COMMIT")
    return done
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

const withPg = (url: string): Host => {
  const pool = newPool(url)
  return {
    transact: (work) =>
      onSession(pool, (client) => work(client, (text, values) => client.query(text, values))),
    close: () => pool.end()
  }
}

const withKysely = (url: string): Host => {
  const database = new Kysely<never>({ dialect: new PostgresDialect({ pool: newPool(url) }) })
  return {
    transact: (work) =>
      database.transaction().execute((transaction) => {
        const query = (text: string, values: Array<unknown>) =>
          transaction.executeQuery<object>(CompiledQuery.raw(text, values))
        return work({ query }, query)
      }),
    close: () => database.destroy()
  }
}

/** Drizzle's own parameters are numbered by it, so a text with `$1` goes to the client below. */
const withDrizzle = (url: string): Host => {
  const pool = newPool(url)
  const database = drizzle({ client: pool })
  return {
    transact: (work) =>
      database.transaction((transaction) => {
        const query = (text: string, values: Array<unknown>) =>
          transaction.execute(numbered(text, values))
        return work({ query }, query)
      }),
    close: () => pool.end()
  }
}

/** A text with `$1` and its values, as drizzle writes it. */
const numbered = (text: string, values: Array<unknown>) =>
  drizzleSql.join(
    text
      .split(/\$(\d+)/)
      .map((piece, place) =>
        place % 2 === 0 ? drizzleSql.raw(piece) : drizzleSql`${values[Number(piece) - 1]}`
      )
  )

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
  const prismaOn = (client: pg.PoolClient) => ({
    $queryRawUnsafe: async (text: string, ...values: Array<unknown>): Promise<Array<object>> => {
      try {
        const { rows } = await client.query({ text, values, types: { getTypeParser } })
        return rows
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
      onSession(pool, (client) => {
        const transaction = prismaOn(client)
        const query = async (text: string, values: Array<unknown>) => ({
          rows: await transaction.$queryRawUnsafe(text, ...values)
        })
        return work({ query }, query)
      }),
    close: () => pool.end()
  }
}

const clients = {
  pg: withPg,
  kysely: withKysely,
  drizzle: withDrizzle,
  "the shape of Prisma": withPrismaShape
}

/** What a host may have chosen. */
export const clientNames = Object.keys(clients) as ReadonlyArray<keyof typeof clients>

/** Opens a client. */
export const openClient = (name: keyof typeof clients, url: string): Host => clients[name](url)

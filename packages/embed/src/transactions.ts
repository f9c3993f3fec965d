/**
 * Transactions of query builders and ORMs on Postgres, for `within`. A client of `pg`, a
 * `DatabaseSync` of `node:sqlite` and a `SqlClient` of Effect need none of these.
 */

/** A connection that is in a transaction. */
export interface Connection {
  readonly query: (
    text: string,
    values: Array<unknown>
  ) => Promise<{ readonly rows: ReadonlyArray<object> }>
}

type Query = Connection["query"]

/** One connection for each transaction, so that calls in it take turns. */
const remember = <Transaction extends object>(
  make: (transaction: Transaction) => Query
): ((transaction: Transaction) => Connection) => {
  const connections = new WeakMap<Transaction, Connection>()
  return (transaction) => {
    const connection = connections.get(transaction) ?? { query: make(transaction) }
    connections.set(transaction, connection)
    return connection
  }
}

/** What a transaction of Kysely has. */
export interface KyselyTransaction {
  readonly executeQuery: (query: never) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
}

/** Kysely: what `database.transaction().execute` passes on. */
export const fromKysely = remember<KyselyTransaction>((transaction) => async (text, values) => {
  const { CompiledQuery } = await import("kysely")
  const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, values) as never)
  return { rows: rows as ReadonlyArray<object> }
})

/** What a transaction of Drizzle has. */
export interface DrizzleTransaction {
  readonly execute: (query: never) => PromiseLike<{ readonly rows: ReadonlyArray<object> }>
}

/** Drizzle on `pg`: what `database.transaction` passes on. It numbers parameters itself. */
export const fromDrizzle = remember<DrizzleTransaction>((transaction) => async (text, values) => {
  const { sql } = await import("drizzle-orm")
  const parts = text.split(/\$(\d+)/).map((part, place) => {
    if (place % 2 === 0) return sql.raw(part)
    return sql`${values[Number(part) - 1]}`
  })
  return transaction.execute(sql.join(parts) as never)
})

interface KnexClient {
  readonly acquireConnection: () => Promise<Connection>
  readonly releaseConnection: (connection: Connection) => Promise<void>
}

/** What a transaction of Knex has, whose types do not say more of the client. */
export interface KnexTransaction {
  readonly client: unknown
}

/** Knex on `pg`: what `knex.transaction` passes on. */
export const fromKnex = remember<KnexTransaction>(({ client: given }) => async (text, values) => {
  const client = given as KnexClient
  // The one connection of the transaction.
  const connection = await client.acquireConnection()
  try {
    return await connection.query(text, values)
  } finally {
    await client.releaseConnection(connection)
  }
})

/** What a transaction of Prisma has. */
export interface PrismaTransaction {
  readonly $queryRawUnsafe: <A>(text: string, ...values: Array<unknown>) => PromiseLike<A>
}

/** Prisma on Postgres: what `prisma.$transaction` passes on. */
export const fromPrisma = remember<PrismaTransaction>((transaction) => async (text, values) => ({
  rows: await transaction.$queryRawUnsafe<ReadonlyArray<object>>(text, ...values)
}))

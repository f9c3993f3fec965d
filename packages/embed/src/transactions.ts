/**
 * Adapts the Postgres transactions of query builders and ORMs for `within`. A `pg` client, a
 * `node:sqlite` `DatabaseSync` and an Effect `SqlClient` need no adapter.
 */

/** A connection with an open transaction. */
export interface Connection {
  readonly query: (
    text: string,
    values: Array<unknown>
  ) => Promise<{ readonly rows: ReadonlyArray<object> }>
}

type Query = Connection["query"]

/** Caches the connection of each transaction, so that calls on it run one after another. */
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

/** A transaction that Kysely has opened. */
export interface KyselyTransaction {
  readonly executeQuery: (query: never) => Promise<{ readonly rows: ReadonlyArray<unknown> }>
}

/**
 * Adapts the transaction that Kysely passes to the callback of `database.transaction().execute`.
 *
 * @example
 * ```ts
 * await kysely.transaction().execute((transaction) =>
 *   verbatim.within(fromKysely(transaction)).transcriptions.create({ path: "talk.mp3" })
 * )
 * ```
 */
export const fromKysely = remember<KyselyTransaction>((transaction) => async (text, values) => {
  const { CompiledQuery } = await import("kysely")
  const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, values) as never)
  return { rows: rows as ReadonlyArray<object> }
})

/** A transaction that Drizzle has opened. */
export interface DrizzleTransaction {
  readonly execute: (query: never) => PromiseLike<{ readonly rows: ReadonlyArray<object> }>
}

/**
 * Adapts the transaction that Drizzle passes to the callback of `database.transaction`, on `pg`.
 * Drizzle numbers the parameters itself.
 *
 * @example
 * ```ts
 * await drizzle.transaction((transaction) =>
 *   verbatim.within(fromDrizzle(transaction)).transcriptions.create({ path: "talk.mp3" })
 * )
 * ```
 */
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

/** A transaction that Knex has opened. Knex has no type for the transaction's client. */
export interface KnexTransaction {
  readonly client: unknown
}

/**
 * Adapts the transaction that Knex passes to the callback of `knex.transaction`, on `pg`.
 *
 * @example
 * ```ts
 * await knex.transaction((transaction) =>
 *   verbatim.within(fromKnex(transaction)).transcriptions.create({ path: "talk.mp3" })
 * )
 * ```
 */
export const fromKnex = remember<KnexTransaction>(({ client: given }) => async (text, values) => {
  const client = given as KnexClient
  // Within a transaction, `acquireConnection` returns that transaction's connection.
  const connection = await client.acquireConnection()
  try {
    return await connection.query(text, values)
  } finally {
    await client.releaseConnection(connection)
  }
})

/** A transaction that Prisma has opened. */
export interface PrismaTransaction {
  readonly $queryRawUnsafe: <A>(text: string, ...values: Array<unknown>) => PromiseLike<A>
}

/**
 * Adapts the transaction that Prisma passes to the callback of `prisma.$transaction`, on Postgres.
 *
 * @example
 * ```ts
 * await prisma.$transaction((transaction) =>
 *   verbatim.within(fromPrisma(transaction)).transcriptions.create({ path: "talk.mp3" })
 * )
 * ```
 */
export const fromPrisma = remember<PrismaTransaction>((transaction) => async (text, values) => ({
  rows: await transaction.$queryRawUnsafe<ReadonlyArray<object>>(text, ...values)
}))

/**
 * A client of a host's own as the database of the stores: it finds the connection of a host's
 * transaction, and what nests in that, as the clients of our own do.
 */
import { type Context, Effect, Layer } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import * as Postgres from "../../postgres/HostTransaction.ts"
import type { HostConnection } from "../../postgres/host/HostQueries.ts"
import * as Sqlite from "../../sqlite/HostTransaction.ts"
import { traitsOf, withTraits } from "../names/ClientTraits.ts"
import { enter } from "./HostDoor.ts"
import { type Host, withHosts } from "./HostLevel.ts"
import { HostTransaction } from "./HostTransaction.ts"
import { HostTransactionError } from "./HostTransactionError.ts"
import { makeTurns } from "./SessionTurns.ts"

type Client = SqlClient.SqlClient

/** The transaction that a client is in: what its `transactionService` gives there. */
type Transaction = Context.Service.Shape<Client["transactionService"]>

/** The same client, but that its transactions are savepoints in those of hosts. */
const makeEnterable = (client: Client): Client => {
  const tag = (...given: ReadonlyArray<unknown>): unknown =>
    Reflect.apply(client as (...given: Array<unknown>) => unknown, undefined, [...given])
  const copy: Client = Object.assign(tag as unknown as Client, client, {
    withTransaction: withHosts(client.transactionService, client.withTransaction)
  })
  Object.assign(copy, { safe: copy })
  return withTraits(copy, traitsOf(client))
}

const isConnection = (given: unknown): given is SqlConnection.Connection =>
  typeof given === "object" &&
  given !== null &&
  typeof Reflect.get(given, "execute") === "function" &&
  typeof Reflect.get(given, "executeUnprepared") === "function"

const isTransaction = (given: object): given is Transaction =>
  Array.isArray(given) && isConnection(given[0]) && typeof given[1] === "number"

/** Postgres's code for a statement that needs a transaction and is in none. */
const notOpen = "25P01"

class Ended extends Error {
  readonly code = notOpen
  override readonly message = "the transaction of the client has ended"
}

/** Fails where a transaction is over: its connection may be in one of somebody else by now. */
const mustBeOpen = (client: Client, transaction: Transaction): Effect.Effect<void, Ended> =>
  client.afterCommit(Effect.void).pipe(
    Effect.provideService(client.transactionService, transaction),
    Effect.catchDefect(() => Effect.fail(new Ended()))
  )

/** The connection of a transaction, as one of Postgres that a host hands over. */
const toConnection = (client: Client, transaction: Transaction): HostConnection => ({
  query: async (text, values) => ({
    rows: await Effect.runPromise(
      mustBeOpen(client, transaction).pipe(
        Effect.andThen(transaction[0].execute(text, values, undefined)),
        // What the server said, for whoever judges it.
        Effect.mapError((error) => (error instanceof Ended ? error : error.reason.cause))
      )
    )
  })
})

const toSqlError = (cause: Ended) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause, message: cause.message, operation: "execute" })
  })

/** The same on SQLite, where a statement that fails leaves the transaction as it was. */
const toHost = (client: Client, transaction: Transaction): Host => {
  const open = Effect.mapError(mustBeOpen(client, transaction), toSqlError)
  const [connection] = transaction
  return {
    run: (sql, params) => Effect.andThen(open, connection.execute(sql, params, undefined)),
    control: (sql) =>
      Effect.andThen(open, Effect.asVoid(connection.executeUnprepared(sql, [], undefined))),
    explain: ({ reason: { cause } }) => {
      if (cause instanceof Ended) return new HostTransactionError({ reason: "NotOpen" })
      const isGone = cause instanceof Error && /no such savepoint|not open/.test(cause.message)
      return isGone ? new HostTransactionError({ reason: "Ended", cause }) : undefined
    }
  }
}

const isPostgres = (client: Client): boolean =>
  client.onDialectOrElse({ pg: () => true, orElse: () => false })

const turnOf = makeTurns()

/** What a transaction is entered by. */
const makeEntry = (client: Client, door: HostTransaction["Service"]) => {
  if (isPostgres(client)) {
    return (transaction: Transaction) => door.within(toConnection(client, transaction))
  }
  return (transaction: Transaction) => {
    const host = toHost(client, transaction)
    // A transaction that is nested in another one has the same connection.
    const turn = Effect.succeed(turnOf(transaction[0]))
    return enter(client, { host, turn, arrive: Effect.void, leave: Effect.void })
  }
}

/** Transactions of the client itself, beside those of connections to the same database. */
const transactions: Layer.Layer<HostTransaction, never, SqlClient.SqlClient> = Layer.effect(
  HostTransaction,
  Effect.gen(function* () {
    const client = yield* SqlClient.SqlClient
    const door = yield* HostTransaction
    const makeWithin = makeEntry(client, door)
    const entries = new WeakMap<object, ReturnType<typeof makeWithin>>()
    return HostTransaction.of({
      within: (given) => {
        if (!isTransaction(given)) return door.within(given)
        const within = entries.get(given) ?? makeWithin(given)
        entries.set(given, within)
        return within
      }
    })
  })
).pipe(
  Layer.provide(
    Layer.unwrap(
      Effect.map(SqlClient.SqlClient, (client) =>
        isPostgres(client) ? Postgres.hostTransactions : Sqlite.hostTransactions
      )
    )
  )
)

/** A client of a host, and the door into its transactions. It stays open when the scope ends. */
export const layer = (client: Client): Layer.Layer<HostTransaction | SqlClient.SqlClient> =>
  Layer.provideMerge(transactions, Layer.succeed(SqlClient.SqlClient, makeEnterable(client)))

/**
 * A client of a host's own as the database of the stores: its transactions can be entered, as those
 * of connections can that are handed over.
 */
import { type Context, Effect, Layer } from "effect"
import { SqlClient, type SqlConnection } from "effect/sql"
import { traitsOf, withTraits } from "../ClientTraits.ts"
import type { Within } from "./HostDoor.ts"
import { withHosts } from "./HostLevel.ts"
import { HostTransaction } from "./HostTransaction.ts"

type Client = SqlClient.SqlClient

/** The transaction that a client is in: what its `transactionService` gives there. */
export type ClientTransaction = Context.Service.Shape<Client["transactionService"]>

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

const isTransaction = (given: object): given is ClientTransaction =>
  Array.isArray(given) && isConnection(given[0]) && typeof given[1] === "number"

/** Thrown before a statement that would not be in the transaction. */
export class TransactionOver extends Error {
  /** As Postgres says that there is none. */
  readonly code = "25P01"
  override readonly message = "the transaction of the client is over"
}

/** Fails where a transaction is over: its connection may be in one of somebody else by now. */
export const mustBeOpen = (
  client: Client,
  transaction: ClientTransaction
): Effect.Effect<void, TransactionOver> =>
  client.afterCommit(Effect.void).pipe(
    Effect.provideService(client.transactionService, transaction),
    Effect.catchDefect(() => Effect.fail(new TransactionOver()))
  )

/** How the databases let calls in. */
interface Doors {
  /** Connections to the same database that are not those of the client. */
  readonly connections: Layer.Layer<HostTransaction, never, SqlClient.SqlClient>
  readonly enter: (
    client: Client,
    transaction: ClientTransaction,
    connections: HostTransaction["Service"]
  ) => Within
}

const makeDoor = ({ connections, enter }: Doors) =>
  Layer.effect(
    HostTransaction,
    Effect.gen(function* () {
      const client = yield* SqlClient.SqlClient
      const others = yield* HostTransaction
      const entries = new WeakMap<object, Within>()
      return HostTransaction.of({
        within: (given) => {
          if (!isTransaction(given)) return others.within(given)
          const within = entries.get(given) ?? enter(client, given, others)
          entries.set(given, within)
          return within
        }
      })
    })
  ).pipe(Layer.provide(connections))

/** A client of a host with the door into its transactions. It stays open when the scope ends. */
export const makeHostClient =
  (doors: Doors) =>
  (client: Client): Layer.Layer<HostTransaction | SqlClient.SqlClient> =>
    Layer.provideMerge(makeDoor(doors), Layer.succeed(SqlClient.SqlClient, makeEnterable(client)))

/**
 * Lets the stores join the transactions of a host's own `SqlClient`, in the same way as
 * transactions on other connections.
 */
import { type Context, Effect, Layer } from "effect"
import { SqlClient, type SqlConnection } from "effect/sql"
import { capabilitiesOf, withCapabilities } from "../ClientCapabilities.ts"
import { HostTransaction, type RunInTransaction } from "./HostEntry.ts"
import { withHostSavepoints } from "./HostSavepoints.ts"

type Client = SqlClient.SqlClient

/** The current transaction of a client, as the client's `transactionService` returns it. */
export type ClientTransaction = Context.Service.Shape<Client["transactionService"]>

/** Copies a client so that the copy's transactions become savepoints inside host transactions. */
const makeEnterable = (client: Client): Client => {
  const tag = (...value: ReadonlyArray<unknown>): unknown =>
    Reflect.apply(client as (...value: Array<unknown>) => unknown, undefined, [...value])
  const copy: Client = Object.assign(tag as unknown as Client, client, {
    withTransaction: withHostSavepoints(client.transactionService, client.withTransaction)
  })
  Object.assign(copy, { safe: copy })
  return withCapabilities(copy, capabilitiesOf(client))
}

const isConnection = (value: unknown): value is SqlConnection.Connection =>
  typeof value === "object" &&
  value !== null &&
  typeof Reflect.get(value, "execute") === "function" &&
  typeof Reflect.get(value, "executeUnprepared") === "function"

const isTransaction = (value: object): value is ClientTransaction =>
  Array.isArray(value) && isConnection(value[0]) && typeof value[1] === "number"

/**
 * The error for a statement after the end of its transaction. No statement may run outside the
 * transaction.
 */
export class TransactionEnded extends Error {
  /** The Postgres code for "no active transaction". */
  readonly code = "25P01"
  override readonly message = "the transaction of the client is over"
}

/** Fails if a transaction has ended, because another transaction may already use the connection. */
export const requireOpen = (
  client: Client,
  transaction: ClientTransaction
): Effect.Effect<void, TransactionEnded> =>
  client.afterCommit(Effect.void).pipe(
    Effect.provideService(client.transactionService, transaction),
    Effect.catchDefect(() => Effect.fail(new TransactionEnded()))
  )

/** The parts of the client that differ between databases. */
interface HostClientOptions {
  /** Transactions on other connections to the same database. */
  readonly connections: Layer.Layer<HostTransaction, never, SqlClient.SqlClient>
  readonly enter: (
    client: Client,
    transaction: ClientTransaction,
    connections: HostTransaction["Service"]
  ) => RunInTransaction
}

const makeWithin = ({ connections, enter }: HostClientOptions) =>
  Layer.effect(
    HostTransaction,
    Effect.gen(function* () {
      const client = yield* SqlClient.SqlClient
      const others = yield* HostTransaction
      const entries = new WeakMap<object, RunInTransaction>()
      return HostTransaction.of({
        within: (value) => {
          if (!isTransaction(value)) return others.within(value)
          const within = entries.get(value) ?? enter(client, value, others)
          entries.set(value, within)
          return within
        }
      })
    })
  ).pipe(Layer.provide(connections))

/**
 * Provides a host's client together with its transactions. The client stays open when the scope
 * ends.
 */
export const makeHostClient =
  (options: HostClientOptions) =>
  (client: Client): Layer.Layer<HostTransaction | SqlClient.SqlClient> =>
    Layer.provideMerge(
      makeWithin(options),
      Layer.succeed(SqlClient.SqlClient, makeEnterable(client))
    )

/**
 * Effect's `SqlClient` over a pool of Postgres sessions that are all set alike, whatever the
 * server, the database and the role have as their defaults.
 */
import { PgClient, type PgConnection, PgPool, PgTypes } from "@effect/sql-pg"
import { remainingWait } from "@verbatim/core/ports"
import {
  Duration,
  Effect,
  identity,
  type Layer,
  Option,
  type Redacted,
  Result,
  type Scope,
  Semaphore
} from "effect"
import type * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { clientLayer } from "../sql/ClientLayer.ts"
import { withTraits } from "../sql/ClientTraits.ts"
import { withHosts } from "../sql/host/HostLevel.ts"
import { measureWait } from "../sql/SqlCounts.ts"
import type { Statements } from "../sql/Statements.ts"
import { makeDurable } from "./Durability.ts"
import { lockMillis } from "./gather/Gathered.ts"
import { make as makeConnection, type Options, within } from "./PostgresConnection.ts"
import { postgresStatements } from "./PostgresStatements.ts"

const { int8 } = PgTypes.OID

/** A value that no number holds exactly stays a `bigint`, which its column's schema refuses. */
const exactInteger = (integer: bigint): number | bigint => {
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : integer
}

const readInteger = (bytes: Uint8Array, offset: number): number | bigint =>
  exactInteger(new DataView(bytes.buffer, bytes.byteOffset + offset).getBigInt64(0))

/**
 * The codecs of the driver, but with integers of 64 bits as numbers, as SQLite gives them: instants
 * in milliseconds, balances and counts are exact in both.
 */
const registry = (): PgTypes.Registry => {
  const types = PgTypes.makeRegistry()
  types.register<number | bigint>(int8, {
    encode: (integer) => PgTypes.encode(BigInt(integer), int8),
    decode: (bytes) => Result.succeed(readInteger(bytes, 0)),
    read: (bytes, offset) => Result.succeed(readInteger(bytes, offset))
  })
  return types
}

/** Where the database is, and how many sessions and how much time may be used. */
export interface PostgresClientConfig {
  /** `postgres://user:password@host:port/database`, with parameters as libpq knows them. */
  readonly url: Redacted.Redacted
  /** The schema of the tables, made where it is missing. By default the role's own first one. */
  readonly schema?: string
  /**
   * Sessions at most. They are opened when they are needed. Default: 10. The stores keep up to five
   * more for the renewals of leases and the ends of attempts, in processes that work on jobs.
   */
  readonly connectionsMax?: number
  /** How long opening a session may take. Default: 5 s. */
  readonly connectTimeout?: Duration.Duration
  /** How long one statement may take, its waiting for locks included. Default: 5 s. */
  readonly statementTimeout?: Duration.Duration
  /** The name of these sessions in the server's own views. Default: `verbatim`. */
  readonly applicationName?: string
}

/** The name of our sessions in the views of a server, where no other one is given. */
export const applicationName = "verbatim"

const defaults = {
  // Six processes of fifteen stay below the hundred sessions that a server allows by default.
  connectionsMax: 10,
  connectTimeout: Duration.seconds(5),
  // A renewal is given up after 5 s, a commit after 10.
  statementTimeout: Duration.seconds(5)
}

/** How much longer than the server the client waits: for the round trip. */
const travelTime = Duration.seconds(1)

/** The share of its time that a statement may wait for a lock: it fails as contended, not slow. */
const lockShare = 0.8

const lockMax = (statementTimeout: Duration.Duration) => Duration.times(statementTimeout, lockShare)

/** The share of the sessions in which gathered writes wait for locks. */
const waiterShare = 0.4

/** Statements kept prepared by a session. Ours are some sixty; a host may have as many. */
const preparedMax = 200

const millisOf = (duration: Duration.Duration): string =>
  Duration.isFinite(duration) ? String(Math.ceil(Duration.toMillis(duration))) : "0"

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

const settings = (
  schema: string | undefined,
  statementTimeout: Duration.Duration
): Readonly<Record<string, string>> => ({
  ...(schema === undefined ? {} : { search_path: quoteName(schema) }),
  TimeZone: "UTC",
  default_transaction_isolation: "read committed",
  statement_timeout: millisOf(statementTimeout),
  lock_timeout: millisOf(lockMax(statementTimeout)),
  // A process that freezes inside a transaction holds its locks no longer than this.
  idle_in_transaction_session_timeout: millisOf(statementTimeout),
  // JIT compilation takes longer than any of our statements.
  jit: "off",
  // So does planning: half of a claim's time. Lists are one parameter, so that one plan suits all.
  plan_cache_mode: "force_generic_plan"
})

/** Postgres answers the COMMIT of a transaction that it has given up with ROLLBACK. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as PgConnection.Result).command === "ROLLBACK" ? Effect.fail(rolledBack()) : Effect.void
  )

const rolledBack = () =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: new Error("the transaction had failed before"),
      message: "Postgres rolled the transaction back",
      operation: "commit"
    })
  })

const timeWait = measureWait("postgres")

/** A caller who has waited before, for its turn, waits for locks only until its deadline. */
const makeBegin = (client: SqlClient.SqlClient, statementTimeout: Duration.Duration) => {
  const { transactionService, withTransaction } = client
  const limitLocks = Effect.flatMap(
    remainingWait,
    (left): Effect.Effect<unknown, SqlError.SqlError> =>
      Duration.isLessThan(left, lockMax(statementTimeout))
        ? client.unsafe(`SET LOCAL lock_timeout = ${lockMillis(left)}`)
        : Effect.void
  )
  return <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Effect.serviceOption(transactionService), (outer) =>
      withTransaction(Option.isSome(outer) ? self : Effect.andThen(limitLocks, self))
    )
}

/** A client with a pool of its own, open as long as the scope. */
export const make = Effect.fnUntraced(function* (
  config: PostgresClientConfig
): Effect.fn.Return<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity> {
  const { connectionsMax, connectTimeout, statementTimeout } = { ...defaults, ...config }
  const answerTimeout = Duration.sum(statementTimeout, travelTime)
  const pool = yield* PgPool.make({
    url: config.url,
    applicationName: config.applicationName ?? applicationName,
    connectTimeout,
    maxConnections: connectionsMax,
    // Finds peers that are gone while a session is idle; then a probe follows each second.
    keepAlive: Duration.seconds(10),
    preparedStatementCacheSize: preparedMax,
    types: registry()
  })
  const limited = within(answerTimeout)
  const connectionTo =
    (limit: Options["limited"]) =>
    (session: PgConnection.PgConnection): SqlConnection.Connection =>
      makeConnection({ session, limited: limit, discard: pool.invalidate(session) })
  const [kept, lent] = [connectionTo(limited), connectionTo(identity)]
  const durable = yield* makeDurable({
    settings: settings(config.schema, statementTimeout),
    discard: pool.invalidate
  })
  const session = timeWait((arrived) => Effect.tap(pool.get, () => arrived)).pipe(
    Effect.tap(durable)
  )
  const client = yield* SqlClient.make({
    // Waiting for a session has its limit too, and a single statement one for both.
    acquirer: Effect.map(limited(session), kept),
    borrower: (use) =>
      timeWait((arrived) =>
        limited(
          pool.use((session) =>
            Effect.andThen(Effect.andThen(arrived, durable(session)), use(lent(session)))
          )
        )
      ),
    transactionAcquirer: Effect.map(limited(Effect.flatMap(session, ({ pin }) => pin)), kept),
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    spanAttributes: [["db.system.name", "postgresql"]],
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
  const begin = makeBegin(client, statementTimeout)
  const entered = { withTransaction: withHosts(client.transactionService, begin) }
  return withTraits(Object.assign(client, entered), {
    isOurs: true,
    home: config.schema,
    waitMax: statementTimeout,
    waiters: Semaphore.makeUnsafe(Math.max(1, Math.floor(connectionsMax * waiterShare)))
  })
})

/** A client on the database of that URL. */
export const layer = (
  config: PostgresClientConfig
): Layer.Layer<SqlClient.SqlClient | Statements, SqlError.SqlError> =>
  clientLayer(make(config), postgresStatements)

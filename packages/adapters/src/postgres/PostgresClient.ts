/**
 * Implements Effect's `SqlClient` over a pool of Postgres sessions. All sessions have the same
 * settings, regardless of the defaults of the server, the database and the role.
 */
import { PgClient, type PgConnection, PgPool, PgTypes } from "@effect/sql-pg"
import { remainingWait } from "@verbatim/core/ports"
import {
  Clock,
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
import { withCapabilities } from "../sql/ClientCapabilities.ts"
import { withHostSavepoints } from "../sql/host/HostSavepoints.ts"
import { poolerError } from "../sql/migration/PoolerCheck.ts"
import { measureWait } from "../sql/SqlMetrics.ts"
import { clientLayer, type Statements } from "../sql/Statements.ts"
import { toExact } from "../sql/session/RowConnection.ts"
import { lockMillis } from "./gather/Batching.ts"
import { make as makeConnection, type Options, within } from "./PostgresConnection.ts"
import { postgresStatements } from "./PostgresStatements.ts"

const { int8 } = PgTypes.OID

const readInteger = (bytes: Uint8Array, offset: number): number | bigint =>
  toExact(new DataView(bytes.buffer, bytes.byteOffset + offset).getBigInt64(0))

/**
 * Creates the driver's codecs, changed so that 64-bit integers become numbers, as in SQLite. A
 * number holds timestamps in milliseconds, balances and counts exactly.
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

/** Options for the database, with limits on sessions and time. */
export interface PostgresClientConfig {
  /** `postgres://user:password@host:port/database`, with the parameters that libpq supports. */
  readonly url: Redacted.Redacted
  /**
   * The schema for the tables, created if missing. Default: the first schema of the role's search
   * path.
   */
  readonly schema?: string
  /**
   * Maximum number of sessions, which are opened when needed; the default is 10. In processes with
   * workers, the stores keep up to five more, for lease renewals and for commits that end attempts.
   */
  readonly maxConnections?: number
  /** Maximum time to open a session. The default is 5 s. */
  readonly connectTimeout?: Duration.Duration
  /** Maximum duration of a statement, including its wait for locks. The default is 5 s. */
  readonly statementTimeout?: Duration.Duration
  /** The name of these sessions in the server's views. The default is `verbatim`. */
  readonly applicationName?: string
}

/** The default name of Verbatim's sessions in the server's views. */
export const applicationName = "verbatim"

const defaults = {
  // Six processes with fifteen sessions stay below the hundred that a server allows by default.
  maxConnections: 10,
  connectTimeout: Duration.seconds(5),
  // A renewal is abandoned after 5 s, and a commit after 10 s.
  statementTimeout: Duration.seconds(5)
}

/** Time allowed for the round trip: the client waits this much longer than the server. */
const roundTripTime = Duration.seconds(1)

/**
 * Share of the time limit that a statement can spend waiting for a lock. Because the share is less
 * than 1, the error reports a contended lock instead of a slow statement.
 */
const lockShare = 0.8

const lockMax = (statementTimeout: Duration.Duration) => Duration.times(statementTimeout, lockShare)

/** Share of the sessions in which batched writes can wait for locks. */
const waiterShare = 0.4

/**
 * Maximum number of prepared statements per session. Verbatim uses about sixty, and a host may use
 * as many.
 */
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
  // A process that hangs inside a transaction loses its locks after this time.
  idle_in_transaction_session_timeout: millisOf(statementTimeout),
  // JIT compilation is off, because compiling takes longer than any statement here.
  jit: "off",
  // Without generic plans, planning would take half of a claim's time. A list is passed as one
  // parameter, so one plan suits lists of all lengths.
  plan_cache_mode: "force_generic_plan"
})

/** Commits. Postgres responds to the COMMIT of a failed transaction with ROLLBACK. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as PgConnection.Result).command === "ROLLBACK"
      ? Effect.fail(makeRollbackError())
      : Effect.void
  )

const makeRollbackError = () =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: new Error("the transaction had failed before"),
      message: "Postgres rolled the transaction back",
      operation: "commit"
    })
  })

const timeWait = measureWait("postgres")

/**
 * Creates `withTransaction` for a client. A caller that has already waited for another lock waits
 * for database locks only until its deadline.
 */
const makeBegin = (client: SqlClient.SqlClient, statementTimeout: Duration.Duration) => {
  const { transactionService, withTransaction } = client
  const limitLocks = Effect.flatMap(
    remainingWait,
    (wait): Effect.Effect<unknown, SqlError.SqlError> =>
      Duration.isLessThan(wait, lockMax(statementTimeout))
        ? client.unsafe(`SET LOCAL lock_timeout = ${lockMillis(wait)}`)
        : Effect.void
  )
  return <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Effect.serviceOption(transactionService), (outer) =>
      withTransaction(Option.isSome(outer) ? self : Effect.andThen(limitLocks, self))
    )
}

/** Creates a client with its own pool, which is closed with the scope. */
export const make = Effect.fnUntraced(function* (
  config: PostgresClientConfig
): Effect.fn.Return<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity> {
  const { maxConnections, connectTimeout, statementTimeout } = { ...defaults, ...config }
  const answerTimeout = Duration.sum(statementTimeout, roundTripTime)
  const pool = yield* PgPool.make({
    url: config.url,
    applicationName: config.applicationName ?? applicationName,
    connectTimeout,
    maxConnections,
    // Detects dead peers of idle sessions. After an unanswered probe, another probe is sent every
    // second.
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
    // The wait for a session also has a time limit. For a single statement, one limit covers both
    // waits.
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
  const entered = { withTransaction: withHostSavepoints(client.transactionService, begin) }
  return withCapabilities(Object.assign(client, entered), {
    isOurs: true,
    home: config.schema,
    waitMax: statementTimeout,
    waiters: Semaphore.makeUnsafe(Math.max(1, Math.floor(maxConnections * waiterShare)))
  })
})

/** Provides a client for the database at the URL. */
export const layer = (
  config: PostgresClientConfig
): Layer.Layer<SqlClient.SqlClient | Statements, SqlError.SqlError> =>
  clientLayer(make(config), postgresStatements)

/**
 * Configures commits to wait for the disk, unless the server, the database or the role requires
 * more: `remote_apply` also waits for a replica. `local` and `remote_write` do not wait for a
 * synchronous replica's disk, and `off` does not even wait for the server's own.
 */
const synchronousCommit = `set_config('synchronous_commit',
  CASE current_setting('synchronous_commit')
    WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, FALSE) AS "synchronous_commit"`

/**
 * A custom setting that the server ignores. Each session has a different value, which identifies
 * it.
 */
const markName = "verbatim.session"

/**
 * Transactions lower this setting to the time left for a write, so the value is not compared. The
 * durability of commits does not depend on this setting.
 */
const unreadName = "lock_timeout"

const serverSettings = ["fsync", "full_page_writes"]

type Row = Readonly<Record<string, unknown>>

const quote = (name: string): string => `"${name}"`

/** Returns the statement that applies the settings and the statement that reads them. */
const makeStatements = (names: ReadonlyArray<string>) => {
  const set = names.map((name, at) => `set_config('${name}', $${at + 1}::text, FALSE)`)
  const verified = names.filter((name) => name !== unreadName)
  const shown = [...verified, "synchronous_commit"].map(
    (name) => `current_setting('${name}', TRUE) AS ${quote(name)}`
  )
  const found = serverSettings.map((name) => `current_setting('${name}') AS ${name}`)
  const made = names.map((name, at) => `${set[at]} AS ${quote(name)}`)
  return {
    set: `SELECT ${[...made, synchronousCommit, ...found].join(", ")}`,
    read: `SELECT ${shown.join(", ")}`
  }
}

/**
 * Whether this process has already logged the warning. A process has several pools, each with many
 * sessions.
 */
let isWarned = false

const warn = (off: ReadonlyArray<string>) =>
  Effect.suspend(() => {
    if (off.length === 0 || isWarned) return Effect.void
    isWarned = true
    return Effect.logWarning(
      `Postgres runs with ${off.join(" and ")} off: a crash may lose what it has acknowledged`
    )
  })

/** Time between checks of a session that is in use. A check is one small statement. */
const verifyInterval = Duration.toNanosUnsafe(Duration.seconds(10))

/** How long the client refuses statements after a check has found that a session was replaced. */
const refusalTime = Duration.toNanosUnsafe(Duration.minutes(1))

/** A session's settings, and the time of the last verification. */
interface VerifiedSettings {
  readonly values: Row
  seenAt: bigint
}

let marks = 0

/**
 * Creates a mark that is unique to a session, from the id of this process, a serial number, the id
 * of the server's process, and the time.
 */
const makeMark = (clock: Clock.Clock, session: PgConnection.PgConnection): string => {
  marks += 1
  return `${process.pid} ${marks} ${session.processId} ${clock.currentTimeMillisUnsafe()}`
}

/**
 * The settings for sessions, and a function that discards a session after its settings were lost.
 */
interface SessionOptions {
  readonly settings: Readonly<Record<string, string>>
  readonly discard: (session: PgConnection.PgConnection) => Effect.Effect<void>
}

/**
 * Sets up each session before its first statement. Most importantly, the server must make a commit
 * durable before acknowledging it, because Verbatim then acknowledges the same commit to its
 * caller. The settings are changed with statements, which any pooler in session mode passes on. The
 * settings are read back in another transaction, and again at intervals, because other poolers can
 * lose them. If settings are lost, the client refuses all statements for a minute. If the server
 * itself is not durable, the client logs a warning, because a session cannot change the server's
 * settings.
 */
const makeDurable = Effect.fnUntraced(function* ({ discard, settings }: SessionOptions) {
  const clock = yield* Clock.Clock
  const verified = new WeakMap<PgConnection.PgConnection, VerifiedSettings>()
  const statements = makeStatements([...Object.keys(settings), markName])
  let refusedUntil = 0n

  const refuse = (session: PgConnection.PgConnection) =>
    Effect.suspend(() => {
      refusedUntil = clock.monotonicTimeNanosUnsafe() + refusalTime
      return Effect.andThen(discard(session), Effect.fail(poolerError()))
    })

  const verify = Effect.fnUntraced(function* (
    session: PgConnection.PgConnection,
    known: VerifiedSettings
  ) {
    const { rows } = yield* session.query(statements.read, [], false)
    const [row] = rows as ReadonlyArray<Row>
    const isKept = Object.entries(row ?? {}).every(([name, value]) => known.values[name] === value)
    if (row === undefined || !isKept) return yield* refuse(session)
    known.seenAt = clock.monotonicTimeNanosUnsafe()
    verified.set(session, known)
  })

  const set = Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
    const wanted = [...Object.values(settings), makeMark(clock, session)]
    const { rows } = yield* session.query(statements.set, wanted, false)
    const [values = {}] = rows as ReadonlyArray<Row>
    yield* verify(session, { values, seenAt: 0n })
    yield* warn(serverSettings.filter((name) => values[name] === "off"))
  })

  return (session: PgConnection.PgConnection): Effect.Effect<void, SqlError.SqlError> =>
    Effect.suspend(() => {
      const now = clock.monotonicTimeNanosUnsafe()
      if (now < refusedUntil) return refuseStill
      const known = verified.get(session)
      if (known === undefined) return set(session)
      return now - known.seenAt < verifyInterval ? Effect.void : verify(session, known)
    })
})

const refuseStill = Effect.suspend(() => Effect.fail(poolerError()))

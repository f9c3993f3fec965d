/**
 * Implements Effect's `SqlClient` over a pool that the host opened and will close. Sessions keep
 * the host's settings: unlike Verbatim's own client, this client sets nothing at the start of a
 * session.
 */
import { EventEmitter } from "node:events"
import { PgClient } from "@effect/sql-pg"
import { Cause, Duration, Effect, Exit, Fiber, type Layer } from "effect"
import type * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { withCapabilities } from "../sql/ClientCapabilities.ts"
import { withHostSavepoints } from "../sql/host/HostSavepoints.ts"
import { measureWait } from "../sql/SqlMetrics.ts"
import { clientLayer, type Statements } from "../sql/Statements.ts"
import { makeRowConnection } from "../sql/session/RowConnection.ts"
import { type HostConnection, runQuery, toSqlError } from "./host/HostQueries.ts"
import { within } from "./PostgresConnection.ts"
import { postgresStatements } from "./PostgresStatements.ts"

/** A session acquired from a pool. */
export interface HostSession extends HostConnection {
  /** Returns the session to the pool. If an argument is given, the pool closes the session. */
  readonly release: (broken?: Error | boolean) => void
}

/** A host's pool, such as a `Pool` of `pg`. */
export interface HostPool {
  readonly connect: () => PromiseLike<HostSession>
}

/** Options for a client over a host's pool. */
export interface PoolOptions {
  /** Maximum duration of a statement, including the wait for a session. The default is 6 s. */
  readonly answerTimeout?: Duration.Duration
}

/** Default time limit for a statement, the same as in Verbatim's own client. */
const answerTimeoutDefault = Duration.seconds(6)

const timeWait = measureWait("postgres")

// Catches errors from new `pg` sessions until the sessions reach the caller, because nothing else
// listens for errors during this time. Without a listener, a server that ends a session in its
// greeting packet would crash the process.

/**
 * Number of waiting callers per pool. This module listens to the host's pool only while a caller is
 * waiting.
 */
const waiting = new WeakMap<EventEmitter, number>()

const ended = new WeakSet<object>()

/** Whether the server ended a session before the caller got it. */
const isEnded = (session: object): boolean => ended.has(session)

/** Listens for a session's errors until the caller starts listening, a few microtasks later. */
const listen = (session: unknown): void => {
  if (!(session instanceof EventEmitter)) return
  const note = () => ended.add(session)
  session.on("error", note)
  setImmediate(() => session.off("error", note))
}

const change = (pool: EventEmitter, by: number): void => {
  const before = waiting.get(pool) ?? 0
  const after = before + by
  waiting.set(pool, after)
  if (before === 0) pool.on("connect", listen)
  else if (after === 0) pool.off("connect", listen)
}

/** Gets a session from a pool, and listens for errors from new sessions while waiting. */
const listenWhileConnecting = async <A>(
  pool: object,
  connect: () => PromiseLike<A>
): Promise<A> => {
  if (!(pool instanceof EventEmitter)) return connect()
  change(pool, 1)
  try {
    return await connect()
  } finally {
    change(pool, -1)
  }
}

interface LentSession {
  readonly session: HostSession
  readonly noteFault: () => void
  isBroken: boolean
}

/**
 * When the server ends a session, `pg` emits an error event, and the current statement fails too. A
 * pool listens only for errors from idle sessions, and an `error` event without a listener crashes
 * the process.
 */
const takeSession = (session: HostSession): LentSession => {
  const lent: LentSession = {
    session,
    isBroken: isEnded(session),
    noteFault: () => {
      lent.isBroken = true
    }
  }
  if (session instanceof EventEmitter) session.on("error", lent.noteFault)
  return lent
}

/** Releases the session to the pool, which then listens for errors again. */
const releaseSession = ({ isBroken, noteFault, session }: LentSession) =>
  Effect.sync(() => {
    session.release(isBroken)
    if (session instanceof EventEmitter) session.off("error", noteFault)
  })

/** Whether the server has responded to a statement. If not, the statement may still be running. */
const isAnswered = (exit: Exit.Exit<unknown, SqlError.SqlError>): boolean =>
  Exit.isSuccess(exit) ||
  exit.cause.reasons.every(
    (reason) => Cause.isFailReason(reason) && reason.error.reason._tag !== "ConnectionError"
  )

/**
 * Creates a connection over a session. If a statement times out or a rollback fails, the session is
 * closed instead of reused.
 */
const makeConnection = (
  lent: LentSession,
  limited: ReturnType<typeof within>
): SqlConnection.Connection => {
  const run = (sql: string, params: ReadonlyArray<unknown>) =>
    runQuery(lent.session, sql, params).pipe(
      limited,
      Effect.onExit((exit) =>
        Effect.sync(() => {
          if (!isAnswered(exit)) lent.isBroken = true
        })
      )
    )
  const undo = (sql: string) =>
    Effect.catch(run(sql, []), () =>
      Effect.sync(() => {
        lent.isBroken = true
        return []
      })
    )
  return makeRowConnection((sql, params) =>
    sql.startsWith("ROLLBACK") ? undo(sql) : run(sql, params)
  )
}

/**
 * Commits. Postgres responds to the COMMIT of a failed transaction with ROLLBACK, which drivers
 * report in different ways. For this reason, a statement that would fail in a failed transaction is
 * run first.
 */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("SELECT 1", []), () =>
    Effect.asVoid(connection.executeRaw("COMMIT", []))
  )

/** Creates a client over a pool. The pool stays open when the scope ends. */
export const make = Effect.fnUntraced(function* (
  pool: HostPool,
  { answerTimeout = answerTimeoutDefault }: PoolOptions = {}
): Effect.fn.Return<SqlClient.SqlClient, never, Reactivity.Reactivity> {
  const limited = within(answerTimeout)
  const connect = Effect.tryPromise({
    try: async () => takeSession(await listenWhileConnecting(pool, () => pool.connect())),
    catch: toSqlError
  })
  // A session that becomes available after its caller has stopped waiting is released immediately.
  const lend = Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(Effect.uninterruptible(connect)), (coming) =>
      Effect.onError(restore(limited(Fiber.join(coming))), () =>
        Effect.forkDetach(Effect.ignore(Effect.flatMap(Fiber.join(coming), releaseSession)))
      )
    )
  )
  const session = Effect.acquireRelease(
    timeWait((arrived) => Effect.tap(lend, () => arrived)),
    releaseSession
  )
  const acquirer = Effect.map(session, (lent) => makeConnection(lent, limited))
  const client = yield* SqlClient.make({
    acquirer,
    compiler: PgClient.makeCompiler(),
    driver: "pg-pool",
    spanAttributes: [["db.system.name", "postgresql"]],
    // The transaction modes are explicit, so that they do not depend on the host's defaults.
    beginTransaction: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
  const { transactionService, withTransaction } = client
  const entered = { withTransaction: withHostSavepoints(transactionService, withTransaction) }
  // The client already returns exact integers, so rows need no further decoding.
  return withCapabilities(Object.assign(client, entered), { isOurs: true })
})

/** Provides a client that uses a host's pool, together with the statements for Postgres. */
export const layer = (
  pool: HostPool,
  options?: PoolOptions
): Layer.Layer<SqlClient.SqlClient | Statements> =>
  clientLayer(make(pool, options), postgresStatements)

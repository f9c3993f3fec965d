/**
 * Effect's `SqlClient` over a pool that the host has opened and will close. Its sessions are as the
 * host has set them, and stay so: what the client of our own sets at the start of a session, this
 * one does not.
 */
import { EventEmitter } from "node:events"
import { PgClient } from "@effect/sql-pg"
import { Cause, Duration, Effect, Exit, Fiber, Layer } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { withTraits } from "../sql/ClientTraits.ts"
import { makeRowConnection, withHosts } from "../sql/host/HostLevel.ts"
import { measureWait } from "../sql/SqlCounts.ts"
import { Statements } from "../sql/Statements.ts"
import { type HostConnection, runQuery } from "./host/HostQueries.ts"
import { hearing, isEnded } from "./host/NewSessions.ts"
import { toSqlError } from "./host/SqlState.ts"
import { within } from "./PostgresConnection.ts"
import { postgresStatements } from "./PostgresStatements.ts"

/** A session that a pool has lent. */
export interface HostSession extends HostConnection {
  /** Gives it back; with an argument it is closed. */
  readonly release: (broken?: Error | boolean) => void
}

/** A pool of a host: a `Pool` of `pg` is one. */
export interface HostPool {
  readonly connect: () => PromiseLike<HostSession>
}

/** How much time may be used. */
export interface PoolOptions {
  /** How long a statement may take, waiting for a session included. Default: 6 s. */
  readonly answerTimeout?: Duration.Duration
}

/** As long as the client of our own waits. */
const answerTimeoutDefault = Duration.seconds(6)

const timeWait = measureWait("postgres")

interface Lent {
  readonly session: HostSession
  readonly noteFault: () => void
  isBroken: boolean
}

/**
 * A session of `pg` whose server ends it tells so as an event besides failing what is asked; a
 * pool listens only to those that nobody has, and an event `error` that nobody hears ends the
 * process.
 */
const takeSession = (session: HostSession): Lent => {
  const lent: Lent = {
    session,
    isBroken: isEnded(session),
    noteFault: () => {
      lent.isBroken = true
    }
  }
  if (session instanceof EventEmitter) session.on("error", lent.noteFault)
  return lent
}

/** After its return, the pool listens again. */
const giveBack = ({ isBroken, noteFault, session }: Lent) =>
  Effect.sync(() => {
    session.release(isBroken)
    if (session instanceof EventEmitter) session.off("error", noteFault)
  })

/** Without an answer, a statement may still be under way. */
const isAnswered = (exit: Exit.Exit<unknown, SqlError.SqlError>): boolean =>
  Exit.isSuccess(exit) ||
  exit.cause.reasons.every(
    (reason) => Cause.isFailReason(reason) && reason.error.reason._tag !== "ConnectionError"
  )

/** Whoever could not wait for a statement, or not undo it, leaves a session that nobody may use. */
const makeConnection = (
  lent: Lent,
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
 * Postgres answers the COMMIT of a transaction that it has given up with ROLLBACK, which drivers do
 * not tell alike. Any other statement fails there.
 */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("SELECT 1", []), () =>
    Effect.asVoid(connection.executeRaw("COMMIT", []))
  )

/** A client over a pool. The pool stays open when the scope ends. */
export const make = Effect.fnUntraced(function* (
  pool: HostPool,
  { answerTimeout = answerTimeoutDefault }: PoolOptions = {}
): Effect.fn.Return<SqlClient.SqlClient, never, Reactivity.Reactivity> {
  const limited = within(answerTimeout)
  const connect = Effect.tryPromise({
    try: async () => takeSession(await hearing(pool, () => pool.connect())),
    catch: toSqlError
  })
  // A session that comes after its caller has gone is given back at once.
  const lend = Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(Effect.uninterruptible(connect)), (coming) =>
      Effect.onError(restore(limited(Fiber.join(coming))), () =>
        Effect.forkDetach(Effect.ignore(Effect.flatMap(Fiber.join(coming), giveBack)))
      )
    )
  )
  const session = Effect.acquireRelease(
    timeWait((arrived) => Effect.tap(lend, () => arrived)),
    giveBack
  )
  const acquirer = Effect.map(session, (lent) => makeConnection(lent, limited))
  const client = yield* SqlClient.make({
    acquirer,
    compiler: PgClient.makeCompiler(),
    driver: "pg-pool",
    spanAttributes: [["db.system.name", "postgresql"]],
    // Whatever the host has as its default.
    beginTransaction: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
  const { transactionService, withTransaction } = client
  const entered = { withTransaction: withHosts(transactionService, withTransaction) }
  // Its integers are exact already: nothing has to read its rows again.
  return withTraits(Object.assign(client, entered), { isOurs: true })
})

/** A client over a pool of the host, with the statements of Postgres. */
export const layer = (
  pool: HostPool,
  options?: PoolOptions
): Layer.Layer<SqlClient.SqlClient | Statements> =>
  Layer.effect(SqlClient.SqlClient)(make(pool, options)).pipe(
    Layer.provide(Reactivity.layer),
    Layer.merge(Layer.succeed(Statements)(postgresStatements))
  )

/**
 * Runs effects inside a host's transaction, each in a separate savepoint. The current transaction
 * uses the host's connection. Only the host begins and ends the transaction.
 */
import { InHostTransaction } from "@verbatim/core/ports"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { makeKeyedLocks } from "../session/KeyedLocks.ts"
import {
  type Host,
  type HostCall,
  isHostConnection,
  makeCallConnection,
  makeControl,
  undoTo
} from "./HostSavepoints.ts"
import { HostTransactionError } from "./HostTransactionError.ts"

/** Runs effects one after another. */
export type SessionLock = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Creates one lock for each session identity. */
export const makeSessionLocks = (): ((session: unknown) => SessionLock) => {
  const withLock = makeKeyedLocks<unknown>()
  return (session) => (self) => withLock(session, ({ semaphore }) => semaphore.withPermit(self))
}

/** Runs an effect in a host's transaction. */
export type RunInTransaction = <A, E, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | HostTransactionError, R>

/** A host's connection, with the steps to run before an effect and after a successful effect. */
export interface HostEntry {
  readonly host: Host
  /** The lock that allows only one call at a time to use the session. */
  readonly lock: Effect.Effect<SessionLock, SqlError.SqlError>
  readonly prepare: Effect.Effect<void, HostTransactionError | SqlError.SqlError>
  readonly cleanUp: Effect.Effect<void, SqlError.SqlError>
}

const savepoint = "verbatim_call"

/** Converts a failure to the reason why a call can no longer write. */
const makeToError =
  (host: Host, call: HostCall) =>
  (error: HostTransactionError | SqlError.SqlError): HostTransactionError => {
    if (error._tag === "HostTransactionError") return error
    return (
      call.lost ??
      host.explain(error) ??
      new HostTransactionError({ reason: "Unusable", cause: error })
    )
  }

/** Runs an effect inside a savepoint, which is then released or rolled back. */
const runCall =
  ({ prepare, host, cleanUp }: HostEntry, call: HostCall) =>
  <A, E, R>(inside: Effect.Effect<A, E, R>): Effect.Effect<A, E | HostTransactionError, R> => {
    const control = makeControl(host, call)
    const toError = makeToError(host, call)
    const undo = undoTo(host, call, savepoint)
    const release = Effect.andThen(cleanUp, control(`RELEASE SAVEPOINT ${savepoint}`))
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* Effect.mapError(control(`SAVEPOINT ${savepoint}`), toError)
        yield* prepare.pipe(
          Effect.mapError(toError),
          Effect.onError(() => undo)
        )
        call.hasBegun = true
        const exit = yield* Effect.exit(restore(inside))
        call.isOver = true
        if (Exit.isSuccess(exit)) {
          yield* release.pipe(
            Effect.mapError(toError),
            Effect.onError(() => undo)
          )
          return exit.value
        }
        yield* undo
        // If the transaction was lost, that loss is reported instead of the failures that it
        // caused.
        if (call.lost !== undefined && !Cause.hasInterruptsOnly(exit.cause)) {
          return yield* call.lost
        }
        return yield* exit
      })
    )
  }

/**
 * Runs effects in the transaction, one at a time. An effect succeeds only if its transaction is
 * still open at the end. If the effect fails, its writes are undone, and the host's transaction
 * continues.
 */
export const enter =
  (sql: SqlClient.SqlClient, entrance: HostEntry): RunInTransaction =>
  (effect) =>
    Effect.withFiber((fiber) => {
      const { host } = entrance
      const around = Context.getOrUndefined(fiber.context, sql.transactionService)
      // The effect already runs inside a call on this connection, so it needs no further savepoint.
      if (around !== undefined && isHostConnection(around[0]) && around[0].host === host)
        return effect
      const call: HostCall = { hasBegun: false, isOver: false, lost: undefined }
      const inside = effect.pipe(
        Effect.provideService(sql.transactionService, [makeCallConnection(host, call), 0]),
        Effect.provideService(InHostTransaction, true)
      )
      const taken = Effect.mapError(entrance.lock, makeToError(host, call))
      return Effect.flatMap(taken, (lock) => lock(runCall(entrance, call)(inside)))
    })

export class HostTransaction extends Context.Service<
  HostTransaction,
  {
    /**
     * Runs effects on a connection that is in the host's transaction, so that the effects' writes
     * are committed or rolled back with the transaction. Each effect runs in a savepoint: if the
     * effect fails, its writes are undone, and the transaction continues. The host must not use the
     * connection until the effect has ended. The type of a connection depends on the database.
     */
    readonly within: (connection: object) => RunInTransaction
  }
>()("@verbatim/adapters/sql/HostTransaction") {}

/** Creates the `HostTransaction` service for one type of connection. */
export const makeLayer = <Connection extends object>(
  make: (sql: SqlClient.SqlClient) => (connection: Connection) => HostEntry
): Layer.Layer<HostTransaction, never, SqlClient.SqlClient> =>
  Layer.effect(HostTransaction)(
    Effect.map(SqlClient.SqlClient, (sql) => {
      const makeHostEntry = make(sql)
      const entrances = new WeakMap<object, HostEntry>()
      return HostTransaction.of({
        within: (connection) => {
          // The connection needs no check here: an object that is not a connection fails on its
          // first statement.
          const entrance = entrances.get(connection) ?? makeHostEntry(connection as Connection)
          entrances.set(connection, entrance)
          return enter(sql, entrance)
        }
      })
    })
  )

/** Runs effects on a connection of one type. */
export type RunOnConnection<Connection> = (
  connection: Connection
) => <A, E, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | HostTransactionError, R | HostTransaction>

/** Creates a function that runs effects in a host's open transaction. */
export const makeWithin =
  <Connection extends object>(): RunOnConnection<Connection> =>
  (connection) =>
  (effect) =>
    Effect.flatMap(HostTransaction, (door) => door.within(connection)(effect))

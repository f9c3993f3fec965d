/**
 * Wraps a host's connection for one effect. The stores' own transactions become savepoints in the
 * host's transaction. While a savepoint is open, statements outside it wait, so that they are not
 * undone with the savepoint.
 */
import { Context, Effect, Semaphore } from "effect"
import type { SqlClient, SqlConnection, SqlError } from "effect/sql"
import { connectionError } from "../session/ClientErrors.ts"
import { makeRowConnection, type RunStatement } from "../session/RowConnection.ts"
import { HostTransactionError } from "./HostTransactionError.ts"

type Service = SqlClient.SqlClient["transactionService"]
type WithTransaction = SqlClient.SqlClient["withTransaction"]

/** The operations on a host's connection that differ between databases. */
export interface Host {
  /** Runs a statement so that the transaction stays usable if the statement fails. */
  readonly run: RunStatement
  /** Begins, releases or undoes a savepoint. */
  readonly control: (sql: string) => Effect.Effect<void, SqlError.SqlError>
  /** Returns an error if a failure means that the transaction or the connection is gone. */
  readonly explain: (error: SqlError.SqlError) => HostTransactionError | undefined
}

/** One call by a host, from the start of the call's savepoint to its release. */
export interface HostCall {
  /** Whether the transaction was found to be open. */
  hasBegun: boolean
  isOver: boolean
  /** Why the transaction can no longer be used. */
  lost: HostTransactionError | undefined
}

/** The connection that statements use inside a call, or inside one of its savepoints. */
export interface CallConnection extends SqlConnection.Connection {
  readonly host: Host
  readonly call: HostCall
  readonly lock: Semaphore.Semaphore
}

/** Whether a connection belongs to a host's call. */
export const isHostConnection = (
  connection: SqlConnection.Connection
): connection is CallConnection => "host" in connection && "call" in connection

/**
 * Returns what a failure means for the transaction. A transaction that was open before and is now
 * closed ended during the call.
 */
const findLoss = ({ explain }: Host, { hasBegun }: HostCall, error: SqlError.SqlError) => {
  const loss = explain(error)
  if (loss === undefined || !hasBegun) return loss
  // An earlier statement of the call has failed. The savepoint around that statement undoes the
  // failure.
  if (loss.reason === "Aborted") return undefined
  return loss.reason === "NotOpen"
    ? new HostTransactionError({ reason: "Ended", cause: loss.cause })
    : loss
}

/** Records that the transaction is gone, if a failure shows that it is. */
const noteLoss = <A>(
  host: Host,
  call: HostCall,
  self: Effect.Effect<A, SqlError.SqlError>
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.tapError(self, (error) =>
    Effect.sync(() => {
      call.lost ??= findLoss(host, call, error)
    })
  )

/** Creates a function that runs a call's savepoint statements. */
export const makeControl = (host: Host, call: HostCall) => (sql: string) =>
  noteLoss(host, call, host.control(sql))

/**
 * Undoes all writes since a savepoint. If the transaction is gone, so are the writes, and the loss
 * is recorded.
 */
export const undoTo = (host: Host, call: HostCall, name: string): Effect.Effect<void> => {
  const control = makeControl(host, call)
  return Effect.ignore(
    Effect.andThen(control(`ROLLBACK TO SAVEPOINT ${name}`), control(`RELEASE SAVEPOINT ${name}`))
  )
}

/** Creates the connection that a call's statements use. */
export const makeCallConnection = (host: Host, call: HostCall): CallConnection => {
  const lock = Semaphore.makeUnsafe(1)
  const run: RunStatement = (sql, params) =>
    Effect.suspend(() => {
      // A fiber outlived its call, so its statements are refused.
      if (call.isOver)
        return Effect.fail(connectionError(new Error("the call of the host has ended")))
      if (call.lost !== undefined) return Effect.fail(connectionError(call.lost))
      // The effect waits for the running statement to end, because a host's driver cannot cancel a
      // statement.
      return Effect.uninterruptible(noteLoss(host, call, host.run(sql, params)))
    }).pipe(lock.withPermit)
  return { host, call, lock, ...makeRowConnection(run) }
}

/** Runs an effect in a savepoint. A failure undoes the effect's writes. */
const inSavepoint =
  (host: Host, call: HostCall, name: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> => {
    const control = makeControl(host, call)
    return Effect.uninterruptibleMask((restore) =>
      Effect.andThen(
        control(`SAVEPOINT ${name}`),
        Effect.matchCauseEffect(restore(self), {
          onSuccess: (value) => Effect.as(control(`RELEASE SAVEPOINT ${name}`), value),
          onFailure: (cause) => Effect.andThen(undoTo(host, call, name), Effect.failCause(cause))
        })
      )
    )
  }

/**
 * Wraps a client's `withTransaction` so that transactions inside a host's transaction become
 * savepoints.
 */
export const withHostSavepoints =
  (service: Service, ordinary: WithTransaction): WithTransaction =>
  (self) =>
    Effect.withFiber((fiber) => {
      const around = Context.getOrUndefined(fiber.context, service)
      if (around === undefined || !isHostConnection(around[0])) return ordinary(self)
      const [{ host, lock, call }, depth] = around
      const inner = Effect.provideService(self, service, [
        makeCallConnection(host, call),
        depth + 1
      ])
      return lock.withPermit(inSavepoint(host, call, `verbatim_nested_${depth + 1}`)(inner))
    })

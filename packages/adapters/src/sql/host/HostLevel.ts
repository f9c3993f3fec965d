/**
 * The connection of a host in the hands of one effect. Transactions of ours become savepoints in
 * that of the host; while one runs, statements outside of it wait, so that none is undone with it.
 */
import { Context, Effect, Semaphore, Stream } from "effect"
import { type SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { HostTransactionError } from "./HostTransactionError.ts"

/** The rows of a statement. */
type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Runs a statement. */
export type RunStatement = (
  sql: string,
  params: ReadonlyArray<unknown>
) => Effect.Effect<Rows, SqlError.SqlError>

/** Makes the connection that runs every statement so. */
export const makeRowConnection = (run: RunStatement): SqlConnection.Connection => {
  const execute: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    transform === undefined
      ? run(sql, params)
      : Effect.map(run(sql, params), (rows) => transform(rows))
  const values: SqlConnection.Connection["executeValues"] = (sql, params) =>
    Effect.map(run(sql, params), (rows) => rows.map((row) => Object.values(row)))
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: run,
    executeValues: values,
    executeValuesUnprepared: values,
    executeStream: (sql, params, transform) =>
      Stream.fromIterableEffect(execute(sql, params, transform))
  }
}

type Service = SqlClient.SqlClient["transactionService"]
type WithTransaction = SqlClient.SqlClient["withTransaction"]

/** What a database says in its own way on a connection of a host. */
export interface Host {
  /** Runs a statement, which leaves the transaction usable when it fails. */
  readonly run: RunStatement
  /** Begins, releases or undoes a savepoint. */
  readonly control: (sql: string) => Effect.Effect<void, SqlError.SqlError>
  /** Whether a failure says that the transaction, or the connection, is gone. */
  readonly explain: (error: SqlError.SqlError) => HostTransactionError | undefined
}

/** One call of a host, from its savepoint to the release of that. */
export interface Visit {
  /** Whether the transaction was found open. */
  hasBegun: boolean
  isOver: boolean
  /** Why the transaction can no longer be used. */
  lost: HostTransactionError | undefined
}

/** The connection inside a call, or inside a savepoint in it. */
export interface HostLevel extends SqlConnection.Connection {
  readonly host: Host
  readonly visit: Visit
  readonly turn: Semaphore.Semaphore
}

/** Whether a connection is that of a host. */
export const isHostLevel = (connection: SqlConnection.Connection): connection is HostLevel =>
  "host" in connection && "visit" in connection

const toSqlError = (cause: HostTransactionError | Error) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause,
      message: cause.message,
      operation: "execute"
    })
  })

/** What a failure says of the transaction. One that was open, and is not, has ended meanwhile. */
const findLoss = ({ explain }: Host, { hasBegun }: Visit, error: SqlError.SqlError) => {
  const loss = explain(error)
  if (loss === undefined || !hasBegun) return loss
  // A statement of ours failed before: that is undone with the savepoint around it.
  if (loss.reason === "Aborted") return undefined
  return loss.reason === "NotOpen"
    ? new HostTransactionError({ reason: "Ended", cause: loss.cause })
    : loss
}

/** Notes that the transaction is gone, if a failure says so. */
const noteLoss = <A>(
  host: Host,
  visit: Visit,
  self: Effect.Effect<A, SqlError.SqlError>
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.tapError(self, (error) =>
    Effect.sync(() => {
      visit.lost ??= findLoss(host, visit, error)
    })
  )

/** The savepoints of a call. */
export const makeControl = (host: Host, visit: Visit) => (sql: string) =>
  noteLoss(host, visit, host.control(sql))

/**
 * Undoes what was written since a savepoint. Where the transaction is gone, so is all of it, and
 * that is noted.
 */
export const undoTo = (host: Host, visit: Visit, name: string): Effect.Effect<void> => {
  const control = makeControl(host, visit)
  return Effect.ignore(
    Effect.andThen(control(`ROLLBACK TO SAVEPOINT ${name}`), control(`RELEASE SAVEPOINT ${name}`))
  )
}

/** The connection as statements see it. */
export const makeLevel = (host: Host, visit: Visit): HostLevel => {
  const turn = Semaphore.makeUnsafe(1)
  const run: RunStatement = (sql, params) =>
    Effect.suspend(() => {
      // Somebody who was left behind: what follows is no longer of this call.
      if (visit.isOver) return Effect.fail(toSqlError(new Error("the call of the host has ended")))
      if (visit.lost !== undefined) return Effect.fail(toSqlError(visit.lost))
      // A driver of a host cannot take a statement back, and the next one must find it ended.
      return Effect.uninterruptible(noteLoss(host, visit, host.run(sql, params)))
    }).pipe(turn.withPermit)
  return { host, visit, turn, ...makeRowConnection(run) }
}

/** Runs an effect between a savepoint and its release; a failure undoes what it wrote. */
const inSavepoint =
  (host: Host, visit: Visit, name: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> => {
    const control = makeControl(host, visit)
    return Effect.uninterruptibleMask((restore) =>
      Effect.andThen(
        control(`SAVEPOINT ${name}`),
        Effect.matchCauseEffect(restore(self), {
          onSuccess: (value) => Effect.as(control(`RELEASE SAVEPOINT ${name}`), value),
          onFailure: (cause) => Effect.andThen(undoTo(host, visit, name), Effect.failCause(cause))
        })
      )
    )
  }

/** Transactions of a client that become savepoints wherever the transaction is that of a host. */
export const withHosts =
  (service: Service, ordinary: WithTransaction): WithTransaction =>
  (self) =>
    Effect.withFiber((fiber) => {
      const around = Context.getOrUndefined(fiber.context, service)
      if (around === undefined || !isHostLevel(around[0])) return ordinary(self)
      const [{ host, turn, visit }, depth] = around
      const inner = Effect.provideService(self, service, [makeLevel(host, visit), depth + 1])
      return turn.withPermit(inSavepoint(host, visit, `verbatim_nested_${depth + 1}`)(inner))
    })

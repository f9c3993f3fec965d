/**
 * Turns on the connection that writes, one at a time: for a transaction, for a statement, or for as
 * long as a scope.
 */
import { Cause, type Context, Effect, Exit, Scope, Semaphore } from "effect"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { measureWait } from "../sql/SqlCounts.ts"
import {
  type CommitGroup,
  type CommitGroups,
  type Connection,
  isInTransaction,
  makeGroups,
  type Statement
} from "./CommitGroups.ts"
import { attempt } from "./SqliteAttempt.ts"
import { spanAttributes } from "./SqliteConnection.ts"

/** A connection that writes: for us, and for the client. */
export interface Writer extends Connection {
  readonly connection: SqlConnection.Connection
}

/** The ways to take a turn. */
export interface Turns {
  /** For one statement. */
  readonly borrow: SqlConnection.Borrower
  /** As long as the scope. */
  readonly lease: SqlConnection.Acquirer
  /** For the transactions of a client, which has that service. */
  readonly withTransaction: (
    service: SqlClient.SqlClient["transactionService"]
  ) => SqlClient.SqlClient["withTransaction"]
}

const timeWait = measureWait("sqlite")

/** Turns in the order in which they are asked for. */
export const make = (writer: Writer): Turns => {
  const { connection } = writer
  const semaphore = Semaphore.makeUnsafe(1)
  const groups = makeGroups(writer)
  const lease = Effect.uninterruptibleMask((restore) =>
    restore(timeWait((arrived) => Effect.andThen(semaphore.takeScoped(1), arrived))).pipe(
      Effect.andThen(groups.end),
      Effect.as(connection)
    )
  )
  return {
    borrow: (use) =>
      timeWait((arrived) =>
        semaphore.withPermit(Effect.andThen(Effect.andThen(arrived, groups.end), use(connection)))
      ),
    lease,
    withTransaction: (service) => makeWithTransaction(writer, { groups, semaphore, service })
  }
}

/** The connection in the hands of one transaction. */
interface Member extends SqlConnection.Connection {
  readonly group: CommitGroup
  readonly turn: Scope.Closeable
}

/** A transaction was undone as it should be, but earlier writes that it saw are gone as well. */
class OthersLost {
  readonly error: SqlError.SqlError
  constructor(error: SqlError.SqlError) {
    this.error = error
  }
}

interface Surroundings {
  readonly groups: CommitGroups
  readonly semaphore: Semaphore.Semaphore
  readonly service: SqlClient.SqlClient["transactionService"]
}

const makeWithTransaction = (
  { connection, database }: Writer,
  { groups, semaphore, service }: Surroundings
): SqlClient.SqlClient["withTransaction"] => {
  const run = (statement: string) => attempt("execute", () => database.exec(statement))
  // SQLite may have ended the transaction by itself, and with it all those nested in it.
  const runInside = (statement: string) =>
    Effect.suspend(() => (isInTransaction(database) ? run(statement) : Effect.void))

  const takeTurn = Effect.flatMap(Effect.flatMap(Effect.scope, Scope.fork), (turn) =>
    timeWait((arrived) =>
      Effect.as(Effect.andThen(Scope.provide(semaphore.takeScoped(1), turn), arrived), turn)
    )
  )

  // The turn is given back before the wait for the COMMIT, so that others can share it.
  const leave = ({ turn }: Member, leaving: Effect.Effect<Statement, SqlError.SqlError>) =>
    Effect.flatten(Effect.ensuring(leaving, Scope.close(turn, Exit.void)))

  const withTransaction = SqlClient.makeWithTransaction({
    // Its connections are those that are acquired here.
    transactionService: service as unknown as Context.Key<unknown, readonly [Member, number]>,
    spanAttributes,
    acquireConnection: (restore) =>
      Effect.flatMap(restore(takeTurn), (turn) =>
        Effect.map(groups.enter, (group): Member => ({ ...connection, group, turn }))
      ),
    begin: () => Effect.void,
    commit: (member) => leave(member, member.group.keep),
    rollback: (member) =>
      Effect.catch(leave(member, member.group.undo), (error) => Effect.die(new OthersLost(error))),
    savepoint: (_, id) => run(`SAVEPOINT nested_${id}`),
    releaseSavepoint: (_, id) => runInside(`RELEASE nested_${id}`),
    rollbackSavepoint: (_, id) => runInside(`ROLLBACK TO nested_${id}`)
  })
  return (self) => Effect.catchCause(withTransaction(self), toFailure)
}

/** Effect can report a failed rollback only as a defect. */
const toFailure = <E>(cause: Cause.Cause<E>): Effect.Effect<never, E | SqlError.SqlError> => {
  for (const reason of cause.reasons) {
    if (Cause.isDieReason(reason) && reason.defect instanceof OthersLost) {
      return Effect.fail(reason.defect.error)
    }
  }
  return Effect.failCause(cause)
}

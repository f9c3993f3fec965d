/**
 * Lends the writing connection to one user at a time: a transaction, a statement or a scope. Reads
 * have a separate connection. Transactions that end with one COMMIT share the wait for the disk,
 * which is the longest part of a small transaction. Such transactions run one after another, each
 * in its own savepoint, and each can be rolled back separately. No caller is notified before the
 * COMMIT has returned.
 */
import type { DatabaseSync } from "node:sqlite"
import { untilDeadline, withLockDeadline } from "@verbatim/core/ports"
import { Cause, type Context, Deferred, Effect, Exit, Scope, Semaphore, Stream } from "effect"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import { type DriverCounts, measureWait } from "../sql/SqlMetrics.ts"
import { lockTimeoutError } from "../sql/session/ClientErrors.ts"
import { SharedCommit } from "../sql/session/Sessions.ts"
import { attempt, retryWhileBusy, spanAttributes, waitMax } from "./SqliteConnection.ts"

/** An effect that runs a statement, or waits to do so. */
type Statement = Effect.Effect<void, SqlError.SqlError>

/**
 * A group of transactions that share one BEGIN and COMMIT. Only one transaction at a time is inside
 * the group. `keep` and `undo` return an effect to wait for. If the COMMIT fails, this effect
 * fails, and no transaction of the group has written anything.
 */
interface CommitGroup {
  /** Whether another transaction may join the group. */
  readonly isOpen: () => boolean
  readonly enter: Statement
  /** Leaves the group, and keeps the transaction's changes. */
  readonly keep: Effect.Effect<Statement, SqlError.SqlError>
  /** Leaves the group, and undoes the transaction's changes. */
  readonly undo: Effect.Effect<Statement, SqlError.SqlError>
  /** Commits the group, immediately or once the transaction inside has left the group. */
  readonly end: () => void
}

const savepoint = "verbatim_transaction"

/** Whether a connection is in a transaction. A closed connection is never in a transaction. */
const isInTransaction = (database: DatabaseSync): boolean =>
  database.isOpen && database.isTransaction

/** Rolls back a connection's open transaction, if any. */
const abandon = (database: DatabaseSync): Statement =>
  attempt("execute", () => {
    if (isInTransaction(database)) database.exec("ROLLBACK")
  })

interface Connection {
  readonly database: DatabaseSync
  /** Maximum number of transactions in a group. */
  readonly groupSizeMax: number
  /**
   * Throws if the database must not be written to. Runs before each use of the connection and
   * before each COMMIT, and takes 7 µs.
   */
  readonly check: () => void
  readonly counts: Pick<DriverCounts, "commit">
}

/**
 * Commits on a fiber outside the group, because the group's own fibers can be interrupted. The
 * fiber never pauses, because a transaction already has its lock.
 */
const commitNow = (database: DatabaseSync, commit: Statement) =>
  Effect.runSyncExit(Effect.tapError(commit, () => Effect.ignore(abandon(database))))

/** Creates a group in the transaction that has just begun on the connection. */
const makeGroup = (connection: Connection): CommitGroup => {
  const { check, counts, database, groupSizeMax: sizeMax } = connection
  const run = (statements: string) => attempt("execute", () => database.exec(statements))
  const outcome = Deferred.makeUnsafe<void, SqlError.SqlError>()
  // Before any transaction is reported as committed, checks that the file was not removed after the
  // BEGIN.
  let commit: Statement = Effect.andThen(attempt("execute", check), run("COMMIT"))
  let keptCount = 0
  let isEntered = false
  let isEnding = false
  let isOver = false

  const end = () => {
    isEnding = true
    if (isEntered || isOver) return
    isOver = true
    const ended = commitNow(database, commit)
    if (Exit.isSuccess(ended)) counts.commit(keptCount)
    Deferred.doneUnsafe(outcome, ended)
  }

  const leave = Effect.sync(() => {
    isEntered = false
    if (isEnding || keptCount >= sizeMax) end()
  })

  const undo = Effect.suspend(() => {
    // SQLite sometimes rolls back the whole group by itself, for example when the disk is full.
    const isThere = isInTransaction(database)
    const undone = isThere ? run(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`) : Effect.void
    return undone.pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          commit = Effect.fail(error)
        })
      ),
      Effect.ensuring(leave),
      // A transaction that is undone also waits for the COMMIT, because it may have read and
      // reported the group's uncommitted writes.
      Effect.as(isThere && keptCount > 0 ? Deferred.await(outcome) : Effect.void)
    )
  })

  const keep = run(`RELEASE ${savepoint}`).pipe(
    Effect.tapError(() => Effect.ignore(undo)),
    Effect.tap(() => {
      keptCount += 1
      return leave
    }),
    Effect.as(Deferred.await(outcome))
  )

  return {
    isOpen: () => !isEnding && isInTransaction(database),
    enter: Effect.map(run(`SAVEPOINT ${savepoint}`), () => {
      isEntered = true
    }),
    keep,
    undo,
    end
  }
}

/**
 * Groups transactions on a connection. A transaction joins the open group if the two can share a
 * COMMIT, and otherwise begins a new group. The caller must hold the connection.
 */
interface CommitGroups {
  /** Begins a transaction with the current fiber's settings. */
  readonly enter: Effect.Effect<CommitGroup, SqlError.SqlError>
  /**
   * Ends the open group, so that the connection is not in a transaction. Fails if the database must
   * no longer be written to.
   */
  readonly end: Statement
}

/**
 * BEGIN IMMEDIATE takes the write lock at once. After a plain BEGIN, a transaction that reads first
 * fails on its first write if another connection has written in the meantime.
 */
const beginImmediate = "BEGIN IMMEDIATE"

const makeGroups = (connection: Connection): CommitGroups => {
  const { check, database, groupSizeMax: sizeMax } = connection
  let last: CommitGroup | undefined

  // A failed ROLLBACK is retried, because no transaction may begin inside the old transaction.
  const end = Effect.suspend(() => {
    last?.end()
    return Effect.andThen(abandon(database), attempt("execute", check))
  })

  const found = (begin: string) =>
    end.pipe(
      Effect.andThen(retryWhileBusy(attempt("execute", () => database.exec(begin)))),
      Effect.map(() => {
        last = makeGroup(connection)
        return last
      })
    )

  const alone = (begin: string) =>
    Effect.tap(found(begin), (group) => Effect.ensuring(group.enter, Effect.sync(group.end)))

  /**
   * Ends the group only after handling the requests that have already arrived, so that their
   * transactions can join the group.
   */
  const shared = Effect.suspend(() =>
    last?.isOpen() === true
      ? Effect.succeed(last)
      : Effect.tap(found(beginImmediate), ({ end }) => Effect.sync(() => setImmediate(end)))
  ).pipe(Effect.tap(({ enter }) => enter))

  const enter = Effect.withFiber<CommitGroup, SqlError.SqlError>((fiber) => {
    const begin = fiber.getRef(SqlClient.BeginTransaction)
    const isShared = sizeMax > 1 && begin === undefined && fiber.getRef(SharedCommit)
    return isShared ? shared : alone(begin ?? beginImmediate)
  })

  return { enter, end }
}

/** The writing connection, both as a `node:sqlite` database and as the client's connection. */
export interface Writer extends Connection {
  readonly connection: SqlConnection.Connection
}

/** The ways for callers to borrow the writing connection. */
export interface WriterQueue {
  /** Lends the connection for one statement. */
  readonly borrow: SqlConnection.Borrower
  /** Lends the connection until the scope closes. */
  readonly lease: SqlConnection.Acquirer
  /** Creates `withTransaction` for a client with the given transaction service. */
  readonly withTransaction: (
    service: SqlClient.SqlClient["transactionService"]
  ) => SqlClient.SqlClient["withTransaction"]
}

const timeWait = measureWait("sqlite")

/** The error for a caller that waited too long for another transaction. */
const queueTimeout = () => lockTimeoutError("another transaction of this program has not ended")

/**
 * Holds the connection until the scope closes. The wait for the connection has the same time limit
 * as a wait for a lock.
 */
const waitForWriter = (semaphore: Semaphore.Semaphore) =>
  timeWait((arrived) =>
    Effect.andThen(untilDeadline(queueTimeout)(semaphore.takeScoped(1)), arrived)
  )

/** Creates the queue for the writing connection. Callers get the connection in order of arrival. */
export const make = (writer: Writer): WriterQueue => {
  const { connection } = writer
  const semaphore = Semaphore.makeUnsafe(1)
  const groups = makeGroups(writer)
  const lease = Effect.uninterruptibleMask((restore) =>
    restore(waitForWriter(semaphore)).pipe(
      Effect.andThen(groups.end),
      withLockDeadline(waitMax),
      Effect.as(connection)
    )
  )
  return {
    borrow: (use) => Effect.scoped(Effect.flatMap(lease, use)),
    lease,
    withTransaction: (service) => makeWithTransaction(writer, { groups, semaphore, service })
  }
}

/**
 * Whether a statement only reads. A statement that does not begin with SELECT may write, even if it
 * begins with WITH.
 */
const isRead = (sql: string): boolean => /^\s*SELECT\b/i.test(sql)

/**
 * Creates a borrower that reads from `reader`; all other statements wait in the queue. Reads do not
 * wait for transactions, and do not see uncommitted writes.
 */
export const makeBorrower = (
  reader: SqlConnection.Connection,
  { borrow }: WriterQueue
): SqlConnection.Borrower => {
  const lend: (sql: string) => SqlConnection.Borrower = (sql) =>
    isRead(sql) ? (use) => use(reader) : borrow
  const connection: SqlConnection.Connection = {
    execute: (sql, params, transform) => lend(sql)((to) => to.execute(sql, params, transform)),
    executeRaw: (sql, params) => lend(sql)((to) => to.executeRaw(sql, params)),
    executeStream: (sql, params, transform) =>
      Stream.fromIterableEffect(lend(sql)((to) => to.execute(sql, params, transform))),
    executeValues: (sql, params) => lend(sql)((to) => to.executeValues(sql, params)),
    executeValuesUnprepared: (sql, params) =>
      lend(sql)((to) => to.executeValuesUnprepared(sql, params)),
    executeUnprepared: (sql, params, transform) =>
      lend(sql)((to) => to.executeUnprepared(sql, params, transform))
  }
  return (use) => use(connection)
}

/** A transaction's connection, with the group that the transaction belongs to. */
interface Member extends SqlConnection.Connection {
  readonly group: CommitGroup
  readonly scope: Scope.Closeable
}

/**
 * The defect for a transaction that was rolled back as intended, although earlier writes that it
 * had read are lost too.
 */
class GroupLost {
  readonly error: SqlError.SqlError
  constructor(error: SqlError.SqlError) {
    this.error = error
  }
}

interface TransactionParts {
  readonly groups: CommitGroups
  readonly semaphore: Semaphore.Semaphore
  readonly service: SqlClient.SqlClient["transactionService"]
}

const makeWithTransaction = (
  { connection, database }: Writer,
  { groups, semaphore, service }: TransactionParts
): SqlClient.SqlClient["withTransaction"] => {
  const run = (statement: string) => attempt("execute", () => database.exec(statement))
  // SQLite may have ended the transaction by itself, together with all transactions nested in it.
  const runInside = (statement: string) =>
    Effect.suspend(() => (isInTransaction(database) ? run(statement) : Effect.void))

  const forkWriterScope = Effect.flatMap(Effect.flatMap(Effect.scope, Scope.fork), (scope) =>
    Effect.as(Scope.provide(waitForWriter(semaphore), scope), scope)
  )

  // The connection is released before the wait for the COMMIT, so that other transactions can share
  // the COMMIT.
  const leave = ({ scope }: Member, leaving: Effect.Effect<Statement, SqlError.SqlError>) =>
    Effect.flatten(Effect.ensuring(leaving, Scope.close(scope, Exit.void)))

  const withTransaction = SqlClient.makeWithTransaction({
    // The transactions of this client use only the connections that are acquired below.
    transactionService: service as unknown as Context.Key<unknown, readonly [Member, number]>,
    spanAttributes,
    acquireConnection: (restore) =>
      Effect.flatMap(restore(forkWriterScope), (scope) =>
        Effect.map(groups.enter, (group): Member => ({ ...connection, group, scope }))
      ).pipe(withLockDeadline(waitMax)),
    begin: () => Effect.void,
    commit: (member) => leave(member, member.group.keep),
    rollback: (member) =>
      Effect.catch(leave(member, member.group.undo), (error) => Effect.die(new GroupLost(error))),
    savepoint: (_, id) => run(`SAVEPOINT nested_${id}`),
    releaseSavepoint: (_, id) => runInside(`RELEASE nested_${id}`),
    rollbackSavepoint: (_, id) => runInside(`ROLLBACK TO nested_${id}`)
  })
  return (self) => Effect.catchCause(withTransaction(self), toFailure)
}

/** Converts the defect that reports a lost group to a failure. */
const toFailure = <E>(cause: Cause.Cause<E>): Effect.Effect<never, E | SqlError.SqlError> => {
  for (const reason of cause.reasons) {
    if (Cause.isDieReason(reason) && reason.defect instanceof GroupLost) {
      return Effect.fail(reason.defect.error)
    }
  }
  return Effect.failCause(cause)
}

/**
 * Turns on the connection that writes, one at a time: for a transaction, a statement, or a scope.
 * What only reads has a connection of its own. Transactions that end with one COMMIT share the wait
 * for the disk, the longest part of a small one. Each runs in a savepoint, one after the other, and
 * is undone alone; no caller hears of its end before the COMMIT has returned.
 */
import type { DatabaseSync } from "node:sqlite"
import { untilDeadline, withLockDeadline } from "@verbatim/core/ports"
import { Cause, Context, Deferred, Effect, Exit, Scope, Semaphore, Stream } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { type DriverCounts, measureWait } from "../sql/SqlCounts.ts"
import { SharedCommit } from "../sql/session/Sessions.ts"
import { attempt, patiently, spanAttributes, waitMax } from "./SqliteConnection.ts"

/** A statement, or the wait for one. */
type Statement = Effect.Effect<void, SqlError.SqlError>

/**
 * A group after its BEGIN. One transaction at a time is in it. `keep` and `undo` return an effect
 * to wait for: it fails when the COMMIT does, and then nothing of the group has ever happened.
 */
interface CommitGroup {
  /** Whether another transaction may enter. */
  readonly isOpen: () => boolean
  readonly enter: Statement
  /** Leaves with the changes. */
  readonly keep: Effect.Effect<Statement, SqlError.SqlError>
  /** Leaves without the changes. */
  readonly undo: Effect.Effect<Statement, SqlError.SqlError>
  /** Commits: at once, or when the transaction in it has left. */
  readonly end: () => void
}

const savepoint = "verbatim_transaction"

/** Whether a connection is in a transaction, which a closed one is not. */
const isInTransaction = (database: DatabaseSync): boolean =>
  database.isOpen && database.isTransaction

/** Rolls back what is open on a connection, if anything is. */
const abandon = (database: DatabaseSync): Statement =>
  attempt("execute", () => {
    if (isInTransaction(database)) database.exec("ROLLBACK")
  })

/** A connection that writes. */
interface Connection {
  readonly database: DatabaseSync
  /** Transactions of a group, at most. */
  readonly groupSizeMax: number
  /** Throws when nothing may be written. Each turn and each COMMIT begin with it: 7 µs. */
  readonly check: () => void
  readonly counts: Pick<DriverCounts, "commit">
}

/**
 * Commits on a fiber that belongs to none of a group, because each may be interrupted; and without
 * a pause, because inside a transaction there is no lock to wait for.
 */
const commitNow = (database: DatabaseSync, commit: Statement) =>
  Effect.runSyncExit(Effect.tapError(commit, () => Effect.ignore(abandon(database))))

/** A group of transactions, in what was just begun on the connection. */
const makeGroup = (connection: Connection): CommitGroup => {
  const { check, counts, database, groupSizeMax: sizeMax } = connection
  const run = (statements: string) => attempt("execute", () => database.exec(statements))
  const outcome = Deferred.makeUnsafe<void, SqlError.SqlError>()
  // What was taken away since the BEGIN is found here: no end was reported yet.
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
    // When the disk is full, for example, SQLite undoes the whole group by itself.
    const isThere = isInTransaction(database)
    const undone = isThere ? run(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`) : Effect.void
    return undone.pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          commit = Effect.fail(error)
        })
      ),
      Effect.ensuring(leave),
      // It may have seen what others wrote, and say so.
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
 * The groups of a connection: a transaction enters the open one, if both may share, or one of its
 * own. Whoever calls must have the turn on it.
 */
interface CommitGroups {
  /** Begins a transaction as its fiber wants it. */
  readonly enter: Effect.Effect<CommitGroup, SqlError.SqlError>
  /**
   * Ends the group that is open, so that the connection is in no transaction. Fails when nothing
   * may be written any more.
   */
  readonly end: Statement
}

/** A plain BEGIN reads first, and fails at its first write when another connection wrote since. */
const beginImmediate = "BEGIN IMMEDIATE"

/** The groups of a connection. */
const makeGroups = (connection: Connection): CommitGroups => {
  const { check, database, groupSizeMax: sizeMax } = connection
  let last: CommitGroup | undefined

  // A ROLLBACK that failed is tried again: nothing may begin in its remains.
  const end = Effect.suspend(() => {
    last?.end()
    return Effect.andThen(abandon(database), attempt("execute", check))
  })

  const found = (begin: string) =>
    end.pipe(
      Effect.andThen(patiently(attempt("execute", () => database.exec(begin)))),
      Effect.map(() => {
        last = makeGroup(connection)
        return last
      })
    )

  const alone = (begin: string) =>
    Effect.tap(found(begin), (group) => Effect.ensuring(group.enter, Effect.sync(group.end)))

  /** Requests that have arrived are read before it ends: their transactions may enter too. */
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

/** The failure of a caller that waited too long for the turn of another one. */
const turnTimeout = () =>
  new SqlError.SqlError({
    reason: new SqlError.LockTimeoutError({
      cause: "another transaction of this program has not ended",
      message: "SQLite could not execute",
      operation: "execute"
    })
  })

/** Takes the turn until the scope closes. The wait for it ends when that for a lock would. */
const takeTurn = (semaphore: Semaphore.Semaphore) =>
  timeWait((arrived) =>
    Effect.andThen(untilDeadline(turnTimeout)(semaphore.takeScoped(1)), arrived)
  )

/** Turns in the order in which they are asked for. */
export const make = (writer: Writer): Turns => {
  const { connection } = writer
  const semaphore = Semaphore.makeUnsafe(1)
  const groups = makeGroups(writer)
  const lease = Effect.uninterruptibleMask((restore) =>
    restore(takeTurn(semaphore)).pipe(
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

/** WITH may lead to a write, and so may everything else that does not begin like this. */
const isRead = (sql: string): boolean => /^\s*SELECT\b/i.test(sql)

/**
 * Lends a connection that reads from `reader`, and takes a turn for the rest. Statements that only
 * read wait for no transaction, and see nothing uncommitted.
 */
export const makeBorrower = (
  reader: SqlConnection.Connection,
  { borrow, lease }: Turns
): SqlConnection.Borrower => {
  const lend: (sql: string) => SqlConnection.Borrower = (sql) =>
    isRead(sql) ? (use) => use(reader) : borrow
  const connection: SqlConnection.Connection = {
    execute: (sql, params, transform) => lend(sql)((to) => to.execute(sql, params, transform)),
    executeRaw: (sql, params) => lend(sql)((to) => to.executeRaw(sql, params)),
    // An open cursor keeps its snapshot, and others on its connection would read that old state
    // too.
    executeStream: (sql, params, transform) =>
      Stream.unwrap(Effect.map(lease, (to) => to.executeStream(sql, params, transform))),
    executeValues: (sql, params) => lend(sql)((to) => to.executeValues(sql, params)),
    executeValuesUnprepared: (sql, params) =>
      lend(sql)((to) => to.executeValuesUnprepared(sql, params)),
    executeUnprepared: (sql, params, transform) =>
      lend(sql)((to) => to.executeUnprepared(sql, params, transform))
  }
  return (use) => use(connection)
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

  const forkTurn = Effect.flatMap(Effect.flatMap(Effect.scope, Scope.fork), (turn) =>
    Effect.as(Scope.provide(takeTurn(semaphore), turn), turn)
  )

  // The turn is given back before the wait for the COMMIT, so that others can share it.
  const leave = ({ turn }: Member, leaving: Effect.Effect<Statement, SqlError.SqlError>) =>
    Effect.flatten(Effect.ensuring(leaving, Scope.close(turn, Exit.void)))

  const withTransaction = SqlClient.makeWithTransaction({
    // Its connections are those that are acquired here.
    transactionService: service as unknown as Context.Key<unknown, readonly [Member, number]>,
    spanAttributes,
    acquireConnection: (restore) =>
      Effect.flatMap(restore(forkTurn), (turn) =>
        Effect.map(groups.enter, (group): Member => ({ ...connection, group, turn }))
      ).pipe(withLockDeadline(waitMax)),
    begin: () => Effect.void,
    commit: (member) => leave(member, member.group.keep),
    rollback: (member) =>
      Effect.catch(leave(member, member.group.undo), (error) => Effect.die(new OthersLost(error))),
    savepoint: (_, id) => run(`SAVEPOINT nested_${id}`),
    releaseSavepoint: (_, id) => runInside(`RELEASE nested_${id}`),
    rollbackSavepoint: (_, id) => runInside(`ROLLBACK TO nested_${id}`)
  })
  const shareable = { connection, database, groups, semaphore, service }
  return shareTransactions(shareable, (self) => Effect.catchCause(withTransaction(self), toFailure))
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

type WithTransaction = SqlClient.SqlClient["withTransaction"]

/** A connection that writes, and the turns on it. */
interface Shareable {
  readonly database: DatabaseSync
  readonly connection: SqlConnection.Connection
  readonly groups: CommitGroups
  readonly semaphore: Semaphore.Semaphore
  readonly service: SqlClient.SqlClient["transactionService"]
}

/** The connection in the hands of one transaction, or of one that is nested in it. */
interface Level extends SqlConnection.Connection {
  /** One transaction at a time is nested in it; made along with the first one. */
  nesting: Semaphore.Semaphore | undefined
  readonly isShared: true
}

const isLevel = (connection: SqlConnection.Connection): connection is Level =>
  "isShared" in connection

/**
 * Runs a transaction that asks to share, and is next, without what Effect makes for any
 * transaction: two scopes, a span, four copies of the context. Without it a new version over HTTP
 * costs 1.17 times the processor time. Everything else is left to `ordinary`.
 */
const shareTransactions = (shareable: Shareable, ordinary: WithTransaction): WithTransaction => {
  const { connection, database, groups, semaphore, service } = shareable
  const level = (): Level => ({ ...connection, nesting: undefined, isShared: true })

  const shared: WithTransaction = (self) =>
    Effect.flatMap(groups.enter, ({ keep, undo }) =>
      Effect.matchCauseEffect(Effect.provideService(self, service, [level(), 0]), {
        onSuccess: (value) => Effect.map(keep, (told) => Effect.as(told, value)),
        onFailure: (cause) =>
          Effect.map(undo, (told) => Effect.andThen(told, Effect.failCause(cause)))
      })
    ).pipe(
      // The turn is given back before the wait for the COMMIT, so that others can share it.
      Effect.ensuring(semaphore.release(1)),
      Effect.flatten
    )

  const run = (statements: string) =>
    Effect.suspend(() =>
      // SQLite may have ended the transaction by itself, and with it all those nested in it.
      isInTransaction(database) ? attempt("execute", () => database.exec(statements)) : Effect.void
    )

  const nested = (outer: Level, id: number): WithTransaction => {
    const name = `nested_${id}`
    outer.nesting ??= Semaphore.makeUnsafe(1)
    const { nesting } = outer
    return (self) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(
          attempt("execute", () => database.exec(`SAVEPOINT ${name}`)),
          Effect.matchCauseEffect(restore(Effect.provideService(self, service, [level(), id])), {
            onSuccess: (value) => Effect.as(run(`RELEASE ${name}`), value),
            onFailure: (cause) =>
              Effect.andThen(run(`ROLLBACK TO ${name}; RELEASE ${name}`), Effect.failCause(cause))
          })
        )
      ).pipe(nesting.withPermit)
  }

  return (self) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.withFiber((fiber) => {
        const around = Context.getOrUndefined(fiber.context, service)
        if (around !== undefined) {
          const [outer, id] = around
          return restore(isLevel(outer) ? nested(outer, id + 1)(self) : ordinary(self))
        }
        const mayShare =
          fiber.getRef(SharedCommit) && fiber.getRef(SqlClient.BeginTransaction) === undefined
        if (!mayShare) return restore(ordinary(self))
        return Effect.flatMap(semaphore.takeIfAvailable(1), (isTaken) =>
          isTaken ? shared(restore(self)) : restore(ordinary(self))
        )
      })
    )
}

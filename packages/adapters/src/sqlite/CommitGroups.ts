/**
 * Transactions that end with one COMMIT: they share the wait for the disk, the longest part of a
 * small one. Each runs in a savepoint, one after the other, and is undone alone; nobody hears of
 * its end before the COMMIT has returned.
 */
import type { DatabaseSync } from "node:sqlite"
import { Deferred, Effect, Exit } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { DriverCounts } from "../sql/SqlCounts.ts"
import { SharedCommit } from "../sql/session/SharedCommit.ts"
import { attempt, patiently } from "./SqliteAttempt.ts"

/** A statement, or the wait for one. */
export type Statement = Effect.Effect<void, SqlError.SqlError>

/**
 * A group after its BEGIN. One transaction at a time is in it. `keep` and `undo` return an effect
 * to wait for: it fails when the COMMIT does, and then nothing of the group has ever happened.
 */
export interface CommitGroup {
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
export const isInTransaction = (database: DatabaseSync): boolean =>
  database.isOpen && database.isTransaction

/** Rolls back what is open on a connection, if anything is. */
const abandon = (database: DatabaseSync): Statement =>
  attempt("execute", () => {
    if (isInTransaction(database)) database.exec("ROLLBACK")
  })

/** A connection that writes. */
export interface Connection {
  readonly database: DatabaseSync
  /** Transactions of a group, at most. */
  readonly groupSizeMax: number
  /** Throws when nothing may be written. Each turn and each COMMIT begin with it: 7 µs. */
  readonly check: () => void
  readonly counts: Pick<DriverCounts, "commit">
}

/** A group of transactions, in what was just begun on the connection. */
const makeGroup = (connection: Connection): CommitGroup => {
  const { check, counts, database, groupSizeMax: sizeMax } = connection
  const run = (statements: string) => attempt("execute", () => database.exec(statements))
  const outcome = Deferred.makeUnsafe<void, SqlError.SqlError>()
  // What was taken away since the BEGIN is found here: nobody has heard of an end yet.
  let commit: Statement = Effect.andThen(attempt("execute", check), run("COMMIT"))
  let keptCount = 0
  let isEntered = false
  let isEnding = false
  let isOver = false

  // On a fiber that belongs to none of them, because each may be interrupted; and without a pause,
  // because inside a transaction there is no lock to wait for.
  const end = () => {
    isEnding = true
    if (isEntered || isOver) return
    isOver = true
    const whole = Effect.tapError(commit, () => Effect.ignore(abandon(database)))
    const ended = Effect.runSyncExit(whole)
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
export interface CommitGroups {
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
export const makeGroups = (connection: Connection): CommitGroups => {
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

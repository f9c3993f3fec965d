/**
 * Transactions that end with one COMMIT: they share the wait for the disk, the longest part of a
 * small one. Each runs in a savepoint, one after the other, and is undone alone; nobody hears of
 * its end before the COMMIT has returned.
 */
import type { DatabaseSync } from "node:sqlite"
import { Deferred, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { attempt } from "./SqliteAttempt.ts"

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
export const abandon = (database: DatabaseSync): Statement =>
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
}

/** A group of transactions, in what was just begun on the connection. */
export const make = ({ check, database, groupSizeMax: sizeMax }: Connection): CommitGroup => {
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
    Deferred.doneUnsafe(outcome, Effect.runSyncExit(whole))
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

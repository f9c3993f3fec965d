/**
 * Transactions that share a COMMIT, without what Effect makes for any transaction: two scopes, a
 * span, four copies of the context. Those took 15 µs of the 62 of a new version.
 */
import type { DatabaseSync } from "node:sqlite"
import { Context, Effect, Semaphore } from "effect"
import { SqlClient, type SqlConnection } from "effect/sql"
import { SharedCommit } from "../sql/session/SharedCommit.ts"
import { type CommitGroups, isInTransaction } from "./CommitGroups.ts"
import { attempt } from "./SqliteAttempt.ts"

type WithTransaction = SqlClient.SqlClient["withTransaction"]

/** A connection that writes, and the turns on it. */
export interface Shareable {
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

/** Runs a transaction that asks to share, and is next; everything else is left to `ordinary`. */
export const shareTransactions = (
  shareable: Shareable,
  ordinary: WithTransaction
): WithTransaction => {
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

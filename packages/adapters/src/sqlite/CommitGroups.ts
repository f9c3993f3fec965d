/** Which group a transaction enters: the open one, if both may share, or one of its own. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { SharedCommit } from "../sql/session/SharedCommit.ts"
import * as CommitGroup from "./CommitGroup.ts"
import { attempt, patiently } from "./SqliteAttempt.ts"

/** The groups of a connection. Whoever calls must have the turn on it. */
export interface CommitGroups {
  /** Begins a transaction as its fiber wants it. */
  readonly enter: Effect.Effect<CommitGroup.CommitGroup, SqlError.SqlError>
  /**
   * Ends the group that is open, so that the connection is in no transaction. Fails when nothing
   * may be written any more.
   */
  readonly end: CommitGroup.Statement
}

/** A plain BEGIN reads first, and fails at its first write when another connection wrote since. */
const beginImmediate = "BEGIN IMMEDIATE"

/** The groups of a connection. */
export const make = (connection: CommitGroup.Connection): CommitGroups => {
  const { check, database, groupSizeMax: sizeMax } = connection
  let last: CommitGroup.CommitGroup | undefined

  // A ROLLBACK that failed is tried again: nothing may begin in its remains.
  const end = Effect.suspend(() => {
    last?.end()
    return Effect.andThen(CommitGroup.abandon(database), attempt("execute", check))
  })

  const found = (begin: string) =>
    end.pipe(
      Effect.andThen(patiently(attempt("execute", () => database.exec(begin)))),
      Effect.map(() => {
        last = CommitGroup.make(connection)
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

  const enter = Effect.withFiber<CommitGroup.CommitGroup, SqlError.SqlError>((fiber) => {
    const begin = fiber.getRef(SqlClient.BeginTransaction)
    const isShared = sizeMax > 1 && begin === undefined && fiber.getRef(SharedCommit)
    return isShared ? shared : alone(begin ?? beginImmediate)
  })

  return { enter, end }
}

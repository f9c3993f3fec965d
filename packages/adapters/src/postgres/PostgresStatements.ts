/**
 * All statements that are specific to Postgres. Where SQLite takes several steps, Postgres usually
 * has one statement, because Postgres allows writes inside a query and each statement costs a round
 * trip.
 */
import { Effect } from "effect"
import type { Statements } from "../sql/Statements.ts"
import type { LockedTransaction } from "../sql/session/Sessions.ts"
import { fromJson, isAmong, makeFind, makeRead } from "./statements/BatchedReads.ts"
import { changeLeases, makeClaim } from "./statements/ClaimStatement.ts"
import { makeCommit } from "./statements/Commits.ts"
import { makeInsert } from "./statements/Inserts.ts"
import { isAnyProtected } from "./statements/Protections.ts"
import { feedEnd, nextOrdinal, serverTime } from "./statements/ServerTime.ts"
import { findByWords, schema } from "./statements/Tables.ts"

const makeLockedTransaction =
  (lock: string): LockedTransaction =>
  (sql, name, statements) =>
    sql.withTransaction(
      Effect.andThen(
        sql`SELECT ${sql.literal(lock)}(hashtext('verbatim'), hashtext(${name}))`,
        statements
      )
    )

/** The statements for Postgres. */
export const postgresStatements: Statements["Service"] = {
  time: serverTime,
  reads: {
    fromJson,
    isAmong,
    makeFind,
    makeRead,
    awaitingLocked: "FOR UPDATE",
    passingLocked: "FOR UPDATE SKIP LOCKED"
  },
  exclusive: makeLockedTransaction("pg_advisory_xact_lock"),
  shared: makeLockedTransaction("pg_advisory_xact_lock_shared"),
  jobs: { feedEnd, nextOrdinal, findByWords, makeInsert, makeCommit },
  work: { makeClaim, changeLeases },
  presets: {
    isAnyProtected,
    // In the collation "C", only ASCII letters are converted to lower case.
    isLike: (sql, { column, pattern }) =>
      sql`lower(${sql.literal(column)} COLLATE "C")
        LIKE lower(${pattern}::text COLLATE "C") ESCAPE '!'`
  },
  schema
}

/**
 * Everything that SQLite says in its own way: small statements, one after the other. It has one
 * writer at a time, so nothing is ever locked except by a transaction on the same file.
 */
import { isAnyProtected } from "../sql/preset/LabelRows.ts"
import type { Statements } from "../sql/Statements.ts"
import { makeAppend } from "./statements/AppendSteps.ts"
import { book } from "./statements/BookingSteps.ts"
import { changeLeases, makeClaim } from "./statements/ClaimSteps.ts"
import { makeCommit } from "./statements/CommitSteps.ts"
import { deleteJobs, feedEnd } from "./statements/FeedSteps.ts"
import { makeInsert } from "./statements/InsertSteps.ts"
import { isAmong, localTime, makeFind, makeRead, makeReadPieces } from "./statements/Reads.ts"
import { schema } from "./statements/Tables.ts"

/** The statements of SQLite. */
export const sqliteStatements: Statements["Service"] = {
  time: localTime,
  reads: { isAmong, makeFind, makeRead, passingLocked: "" },
  // Transactions are alone from their first statement.
  alone: (sql, _, statements) => sql.withTransaction(statements),
  together: (sql, _, statements) => sql.withTransaction(statements),
  book,
  jobs: { feedEnd, deleteJobs, makeInsert, makeCommit, makeReadPieces },
  work: { makeClaim, changeLeases },
  presets: {
    makeAppend,
    // A transaction that reads as of an earlier moment is refused its first write.
    isAnyProtected,
    // LIKE takes ASCII letters of either case for the same, and no others.
    isLike: (sql, { column, pattern }) => sql`${sql.literal(column)} LIKE ${pattern} ESCAPE '!'`
  },
  schema
}

/**
 * All statements that are specific to SQLite. They are small and run one after another. SQLite has
 * one writer at a time, and locks the whole file instead of single rows.
 */
import { isAnyProtected } from "../sql/preset/LabelRows.ts"
import type { Statements } from "../sql/Statements.ts"
import { changeLeases, makeClaim } from "./statements/ClaimSteps.ts"
import { feedEnd, makeCommit, makeInsert, nextOrdinal } from "./statements/JobSteps.ts"
import {
  findByWords,
  fromJson,
  isAmong,
  localTime,
  makeFind,
  makeRead
} from "./statements/Reads.ts"
import { schema } from "./statements/Tables.ts"

/** The statements for SQLite. */
export const sqliteStatements: Statements["Service"] = {
  time: localTime,
  reads: { fromJson, isAmong, makeFind, makeRead, awaitingLocked: "", passingLocked: "" },
  // A transaction excludes other writers from its first statement.
  exclusive: (sql, _, statements) => sql.withTransaction(statements),
  shared: (sql, _, statements) => sql.withTransaction(statements),
  jobs: { feedEnd, nextOrdinal, findByWords, makeInsert, makeCommit },
  work: { makeClaim, changeLeases },
  presets: {
    // A transaction that reads an older snapshot fails at its first write.
    isAnyProtected,
    // LIKE ignores the case of ASCII letters only.
    isLike: (sql, { column, pattern }) => sql`${sql.literal(column)} LIKE ${pattern} ESCAPE '!'`
  },
  schema
}

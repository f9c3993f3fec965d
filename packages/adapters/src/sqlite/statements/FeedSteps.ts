/** The feed in a file: one writer at a time, so ordinals count up in the order of commits. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { JobStatements } from "../../sql/job/JobStatements.ts"
import type { Row } from "../../sql/row/Row.ts"

/** The ordinal of what a transaction of the caller writes next: the last one of the feed. */
export const nextOrdinal = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError.SqlError> =>
  Effect.map(
    sql<{
      readonly ordinal: number
    }>`UPDATE verbatim_job_feed SET ordinal = ordinal + 1 WHERE id = 1
    RETURNING ordinal`,
    ([counted]) => counted?.ordinal ?? 0
  )

/** Writes a row of `job_history` as the last one of the feed, in a transaction of the caller. */
export const appendEntry = (
  sql: SqlClient.SqlClient,
  row: Row
): Effect.Effect<void, SqlError.SqlError> =>
  nextOrdinal(sql).pipe(
    Effect.flatMap(
      (ordinal) => sql`INSERT INTO verbatim_job_history ${sql.insert({ ...row, ordinal })}`
    ),
    Effect.asVoid
  )

/** Behind the last commit. */
export const feedEnd: JobStatements["feedEnd"] = (sql) =>
  sql`(SELECT verbatim_job_feed.ordinal + 1 FROM verbatim_job_feed)`

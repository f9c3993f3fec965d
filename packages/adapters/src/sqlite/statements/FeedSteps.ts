/** The feed in a file. With one writer at a time, ordinals rise in the order of the commits. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { JobStatements } from "../../sql/job/JobStatements.ts"
import type { Row } from "../../sql/row/Row.ts"

/** Reserves the next ordinal. */
export const nextOrdinal: JobStatements["nextOrdinal"] = (sql) =>
  Effect.map(
    sql<{ readonly ordinal: number }>`UPDATE verbatim_job_feed SET ordinal = ordinal + 1
      WHERE id = 1 RETURNING ordinal`,
    ([counted]) => sql`${counted?.ordinal ?? 0}`
  )

/** Writes a row of `job_history` as the last row of the feed, in the caller's transaction. */
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

/** The ordinal after the last commit. */
export const feedEnd: JobStatements["feedEnd"] = (sql) =>
  sql`(SELECT verbatim_job_feed.ordinal + 1 FROM verbatim_job_feed)`

/** Rows that report deleted jobs to the feed's readers, for as long as these rows are kept. */
import { deletionRetention } from "@verbatim/core/ports"
import { Duration, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { RowReads } from "../row/RowReads.ts"
import type { StoreTime } from "../session/Sessions.ts"
import type { JobStatements } from "./JobStatements.ts"
import { type Sweep, sweepMax } from "./Sweep.ts"

/** The parts of statements that differ between databases. */
interface DialectParts {
  readonly jobs: Pick<JobStatements, "feedEnd">
  readonly reads: Pick<RowReads, "passingLocked">
}

interface SweptRow {
  readonly ordinal: number
}

const keptMillis = Duration.toMillis(deletionRetention)

/**
 * Deletes the oldest rows, if they need not be kept any longer. In the same transaction, the sweep
 * records up to which position the feed no longer has deletions: readers with an earlier cursor are
 * reset. Rows are kept if subscribers have not yet received them because an older transaction is
 * open. A row with a time in the future was written before the clock was set back; it is deleted,
 * because otherwise it would hold up all rows after it.
 */
const sweep = (
  sql: SqlClient.SqlClient,
  { jobs: { feedEnd }, reads: { passingLocked } }: DialectParts,
  now: number
): Effect.Effect<number, SqlError.SqlError> =>
  sql.withTransaction(
    Effect.gen(function* () {
      const rows = yield* sql<SweptRow>`DELETE FROM verbatim_job_deletions
        WHERE (at <= ${now - keptMillis} OR at > ${now + keptMillis}) AND job_id IN (
          SELECT job_id FROM verbatim_job_deletions WHERE ordinal < ${feedEnd(sql)}
          ORDER BY ordinal, job_id LIMIT ${sweepMax} ${sql.literal(passingLocked)})
        RETURNING ordinal`
      const last = rows.reduce((most, { ordinal }) => Math.max(most, ordinal), 0)
      if (rows.length > 0) {
        yield* sql`UPDATE verbatim_job_feed SET forgotten = ${last} WHERE forgotten < ${last}`
      }
      return rows.length
    })
  )

/** Makes the sweep of old deletions. */
export const makeSweep = (
  sql: SqlClient.SqlClient,
  dialect: DialectParts & { readonly time: StoreTime }
): Sweep => ({
  what: "Old deletions",
  stepMax: sweepMax,
  step: Effect.flatMap(dialect.time.millis(sql), (now) => sweep(sql, dialect, now))
})

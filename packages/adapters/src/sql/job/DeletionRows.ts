/** Rows that tell of deleted jobs, for as long as they are kept. */
import { deletionRetention } from "@verbatim/core/ports"
import { Duration, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { RowReads } from "../row/RowReads.ts"
import type { StoreTime } from "../session/Sessions.ts"
import type { JobStatements } from "./JobStatements.ts"
import { type Sweep, sweepMax } from "./Sweeping.ts"

/** What databases say in their own ways. */
interface Words {
  readonly jobs: Pick<JobStatements, "feedEnd">
  readonly reads: Pick<RowReads, "passingLocked">
}

interface SweptRow {
  readonly ordinal: number
}

const keptMillis = Duration.toMillis(deletionRetention)

/**
 * Removes the oldest rows that need not be kept any longer, and notes in the same transaction up to
 * where the feed has forgotten: whoever comes with a place before that is told so. Rows stay that
 * listeners have yet to be told of, because an older transaction is open. A row from the future was
 * written before the clock was set back; it goes, or it would hold up all rows behind it.
 */
const sweep = (
  sql: SqlClient.SqlClient,
  { jobs: { feedEnd }, reads: { passingLocked } }: Words,
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

/** Rows of jobs that were deleted long ago. */
export const makeSweep = (
  sql: SqlClient.SqlClient,
  words: Words & { readonly time: StoreTime }
): Sweep => ({
  what: "Old deletions",
  stepMax: sweepMax,
  step: Effect.flatMap(words.time.millis(sql), (now) => sweep(sql, words, now))
})

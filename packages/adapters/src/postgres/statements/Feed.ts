/** Positions in the feed on a server. */
import { Effect } from "effect"
import type { JobStatements } from "../../sql/job/JobStatements.ts"

/** The number of the transaction. */
export const nextOrdinal: JobStatements["nextOrdinal"] = (sql) =>
  Effect.succeed(sql`pg_current_xact_id()::text::bigint`)

/**
 * The number of the oldest open transaction. Transactions get their numbers at their first write,
 * but can commit in any order, so the feed ends before the oldest open transaction. The writes of
 * that transaction and of later ones are reported after it has ended. A long transaction of a host
 * delays events, but no events are lost.
 */
export const feedEnd: JobStatements["feedEnd"] = (sql) =>
  sql`(SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`

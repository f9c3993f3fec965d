/**
 * The feed of a server. Transactions get their numbers when they write first, and commit in any
 * order. So the feed ends before the oldest one that is still open: what it wrote, or what one
 * after it wrote, is told once it has ended. A host's long transaction delays events, and loses
 * none.
 */
import type { JobStatements } from "../../sql/job/JobStatements.ts"

/** The number of the oldest transaction that is still open. */
export const feedEnd: JobStatements["feedEnd"] = (sql) =>
  sql`(SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`

/** Counts rows at the end of a run, with SQL alone and none of our own code. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Row counts at the end of a run. */
export interface TableCounts {
  readonly jobs: number
  /** Number of pending tasks. */
  readonly pending: number
  /** Number of workspaces with a balance that differs from the sum of their ledger. */
  readonly unbalanced: number
  /** Number of jobs with a transcript but no charge, or with a charge but no transcript. */
  readonly unpaid: number
}

export const counts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<TableCounts>`SELECT
    (SELECT COUNT(*) FROM verbatim_jobs) AS jobs,
    (SELECT COUNT(*) FROM verbatim_work) AS pending,
    (SELECT COUNT(*) FROM verbatim_workspaces WHERE balance_millis <>
      (SELECT COALESCE(SUM(millis), 0) FROM verbatim_ledger
        WHERE workspace_id = verbatim_workspaces.id))
      AS unbalanced,
    (SELECT COUNT(*) FROM
      (SELECT DISTINCT job_id FROM verbatim_transcript_chunks) AS heard
      FULL OUTER JOIN (SELECT job_id FROM verbatim_ledger WHERE job_id IS NOT NULL) AS charged
      ON heard.job_id = charged.job_id
      WHERE heard.job_id IS NULL OR charged.job_id IS NULL) AS unpaid`
  return yield* Effect.fromNullishOr(row)
})

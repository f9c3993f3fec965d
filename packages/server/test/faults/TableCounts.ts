/** What the tables say in the end, asked past all of our code. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Counts of rows. */
export interface TableCounts {
  readonly jobs: number
  /** Pieces of work that are still owed. */
  readonly owed: number
  /** Workspaces whose ledger sums to something else than their balance. */
  readonly unbalanced: number
  /** Jobs with a transcript and no charge, or with a charge and no transcript. */
  readonly unpaid: number
}

/** Reads the books of any database of ours. */
export const counts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<TableCounts>`SELECT
    (SELECT COUNT(*) FROM verbatim_jobs) AS jobs,
    (SELECT COUNT(*) FROM verbatim_work) AS owed,
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

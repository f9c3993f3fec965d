/**
 * Old jobs for a database: copies of one that has really ended, as if each had ended long ago.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { oldIds } from "../jobs/Copies.ts"
import { fill, query } from "../jobs/Databases.ts"

/** After so many rows were written. */
const settleMillis = 10_000

/** Fills the tables of a database in which one job has ended. */
export const fillOld = async (databaseUrl: string, count: number): Promise<void> => {
  await fill(databaseUrl, { side: "ours", count })
  // The disk is busy with it for some more seconds.
  await sleep(settleMillis)
}

const isOld = `id LIKE ${oldIds}`

/** How many are left. */
export const countOld = async (databaseUrl: string): Promise<number> => {
  const [found] = await query(
    databaseUrl,
    `SELECT count(*) AS count FROM verbatim_jobs WHERE ended_at IS NOT NULL AND ${isOld}`
  )
  return Number(found?.rows[0]?.count)
}

/** Fails unless nothing of the old jobs is left but their charges. */
export const verifyGone = async (databaseUrl: string, count: number): Promise<void> => {
  const [found] = await query(
    databaseUrl,
    `SELECT (SELECT count(*) FROM verbatim_job_history WHERE job_${isOld}) AS history,
      (SELECT count(*) FROM verbatim_transcript_chunks WHERE job_${isOld}) AS transcripts,
      (SELECT count(*) FROM verbatim_ledger WHERE job_${isOld}) AS charges,
      (SELECT count(*) FROM verbatim_workspaces WHERE balance_millis <>
        (SELECT sum(millis) FROM verbatim_ledger WHERE workspace_id = verbatim_workspaces.id)
        - (SELECT sum(millis) FROM verbatim_ledger WHERE job_${isOld})) AS unbalanced`
  )
  const row: Readonly<Record<string, string>> = found?.rows[0] ?? {}
  const [history, transcripts, charges, unbalanced] = Object.values(row).map(Number)
  if (history !== 0 || transcripts !== 0 || charges !== count || unbalanced !== 0) {
    throw new Error(`not what is left of ${count} old jobs: ${JSON.stringify(row)}`)
  }
}

/** Lets the rule hold or not, for processes that start from now on. */
export const setRule = (databaseUrl: string, isOn: boolean) =>
  query(
    databaseUrl,
    `UPDATE verbatim_workspaces SET job_days = ${isOn ? 30 : "NULL"}`,
    "DELETE FROM verbatim_retention_turn"
  )

/**
 * Old jobs for a database: copies of one that has really ended, as if each had ended long ago.
 */
import { query } from "../jobs/Databases.ts"

/** Copies in one statement: its memory and its lock do not grow with the number of jobs. */
const batchMax = 50_000

/** When they ended: long before any rule. */
const endedAt = Date.parse("2025-01-02T03:04:05.678Z")

/** Like the ids of jobs: version 7, and older than any to come. */
const oldId = `'01900000-' || lpad(to_hex(n >> 16), 4, '0') || '-7000-8000-00000000'
  || lpad(to_hex(n & 65535), 4, '0')`

const copies = (job: string, series: string): ReadonlyArray<string> => [
  `INSERT INTO jobs (id, workspace_id, revision, accepted_at, is_transcription_ended, status,
      format, ended_at, holding, state)
    SELECT ${oldId}, workspace_id, revision, ${endedAt} - 60000, is_transcription_ended, status,
      format, ${endedAt} + n, holding,
      regexp_replace(replace(state, '${job}', ${oldId}), '"endedAt":[0-9]+',
        '"endedAt":' || (${endedAt} + n), 'g')
    FROM jobs, ${series} WHERE id = '${job}'`,
  `INSERT INTO job_history (job_id, revision, at, token, events)
    SELECT ${oldId}, revision, at, token, replace(events, '${job}', ${oldId})
    FROM job_history, ${series} WHERE job_id = '${job}'`,
  `INSERT INTO transcript_chunks (job_id, ordinal, content)
    SELECT ${oldId}, ordinal, content FROM transcript_chunks, ${series} WHERE job_id = '${job}'`,
  `INSERT INTO ledger (workspace_id, job_id, millis, at)
    SELECT workspace_id, ${oldId}, millis, at FROM ledger, ${series} WHERE job_id = '${job}'`
]

/** Fills the tables of a database in which one job has ended. */
export const fillOld = async (databaseUrl: string, count: number): Promise<void> => {
  const [found] = await query(databaseUrl, "SELECT id FROM jobs LIMIT 1")
  const id = String(found?.rows[0]?.id)
  for (let from = 1; from <= count; from += batchMax) {
    const to = Math.min(count, from + batchMax - 1)
    await query(
      databaseUrl,
      // References are not checked a million times: the copied rows have them.
      "SET session_replication_role = replica",
      ...copies(id, `generate_series(${from}, ${to}) AS n`)
    )
  }
  await query(databaseUrl, "VACUUM ANALYZE", "CHECKPOINT")
}

const isOld = `id LIKE '01900000-%'`

/** How many are left. */
export const countOld = async (databaseUrl: string): Promise<number> => {
  const [found] = await query(
    databaseUrl,
    `SELECT count(*) AS count FROM jobs WHERE ended_at IS NOT NULL AND ${isOld}`
  )
  return Number(found?.rows[0]?.count)
}

/** Fails unless nothing of the old jobs is left but their charges. */
export const verifyGone = async (databaseUrl: string, count: number): Promise<void> => {
  const [found] = await query(
    databaseUrl,
    `SELECT (SELECT count(*) FROM job_history WHERE job_${isOld}) AS history,
      (SELECT count(*) FROM transcript_chunks WHERE job_${isOld}) AS transcripts,
      (SELECT count(*) FROM ledger WHERE job_${isOld}) AS charges,
      (SELECT count(*) FROM workspaces WHERE balance_millis <>
        (SELECT sum(millis) FROM ledger WHERE workspace_id = workspaces.id)
        - (SELECT sum(millis) FROM ledger WHERE job_${isOld})) AS unbalanced`
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
    `UPDATE workspaces SET job_days = ${isOn ? 30 : "NULL"}`,
    "DELETE FROM retention_turn"
  )

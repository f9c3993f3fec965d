/**
 * A database for each side on one server, empty or with a million finished jobs in its tables.
 */
import { Client, type QueryResult } from "pg"
import type { Side } from "./Fleet.ts"
import { tables } from "./peers/Tables.ts"

/** Jobs that ended before. */
export const historyCount = 1_000_000

/** Runs statements on a session of their own. */
export const query = async (databaseUrl: string, ...statements: ReadonlyArray<string>) => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const results: Array<QueryResult> = []
    for (const statement of statements) results.push(await client.query(statement))
    return results
  } finally {
    await client.end()
  }
}

/** Makes a database, with the peers' own tables for a peer, and returns where it is. */
export const makeDatabase = async (
  serverUrl: string,
  { name, side }: { readonly name: string; readonly side: Side }
): Promise<string> => {
  await query(serverUrl, `CREATE DATABASE "${name}"`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  if (side !== "ours") await query(url.href, tables)
  return url.href
}

/** Like the ids of jobs: version 7, and older than any to come. */
const oldId = `'01900000-' || lpad(to_hex(n >> 16), 4, '0') || '-7000-8000-00000000'
  || lpad(to_hex(n & 65535), 4, '0')`

const series = `generate_series(1, ${historyCount}) AS n`

/** Copies of a job that has ended, each row of it as the program wrote it. */
const copies = (job: string): ReadonlyArray<string> => [
  `INSERT INTO jobs (id, workspace_id, revision, accepted_at, is_transcription_ended, status, state)
    SELECT ${oldId}, workspace_id, revision, accepted_at, is_transcription_ended, status,
      replace(state, '${job}', ${oldId}) FROM jobs, ${series} WHERE id = '${job}'`,
  `INSERT INTO job_history (job_id, revision, at, token, events)
    SELECT ${oldId}, revision, at, token, replace(events, '${job}', ${oldId})
    FROM job_history, ${series} WHERE job_id = '${job}'`,
  `INSERT INTO transcript_chunks (job_id, ordinal, content)
    SELECT ${oldId}, ordinal, content FROM transcript_chunks, ${series} WHERE job_id = '${job}'`,
  `INSERT INTO ledger (workspace_id, job_id, millis, at)
    SELECT workspace_id, ${oldId}, millis, at FROM ledger, ${series} WHERE job_id = '${job}'`
]

const peerCopies = (job: string): ReadonlyArray<string> => [
  `INSERT INTO jobs
    SELECT (${oldId})::uuid, workspace_id, accepted_at, callback_url, callback_id, status,
      webhook_status, http_status, delivered_at FROM jobs, ${series} WHERE id = '${job}'`,
  `INSERT INTO transcripts
    SELECT (${oldId})::uuid, content FROM transcripts, ${series} WHERE job_id = '${job}'`,
  `INSERT INTO ledger (workspace_id, job_id, millis, at)
    SELECT workspace_id, (${oldId})::uuid, millis, at FROM ledger, ${series}
    WHERE job_id = '${job}'`
]

/** Fills the tables of a side in which jobs have ended. */
export const fill = async (databaseUrl: string, side: Side): Promise<void> => {
  const [found] = await query(databaseUrl, "SELECT id FROM jobs LIMIT 1")
  const id = String(found?.rows[0]?.id)
  await query(
    databaseUrl,
    // References are not checked a million times: the copied rows have them.
    "SET session_replication_role = replica",
    ...(side === "ours" ? copies(id) : peerCopies(id))
  )
  await query(databaseUrl, "VACUUM ANALYZE", "CHECKPOINT")
}

/** Of each side: jobs with a webhook delivered, charges, and transcripts. They must be as many. */
const counts: Readonly<Record<"ours" | "peer", string>> = {
  ours: `SELECT (SELECT count(*) FROM jobs WHERE status = 'WEBHOOK_DELIVERED') AS delivered,
    (SELECT count(*) FROM ledger WHERE job_id IS NOT NULL) AS charged,
    (SELECT count(*) FROM transcript_chunks) AS transcribed`,
  peer: `SELECT (SELECT count(*) FROM jobs WHERE webhook_status = 'DELIVERED') AS delivered,
    (SELECT count(*) FROM ledger) AS charged, (SELECT count(*) FROM transcripts) AS transcribed`
}

/** Fails unless so many jobs are whole: delivered, charged once, and with their transcript. */
export const verify = async (
  databaseUrl: string,
  { count, side }: { readonly side: Side; readonly count: number }
): Promise<void> => {
  const text = counts[side === "ours" ? "ours" : "peer"]
  // The last outcomes are written after the receiver has answered.
  for (let tries = 0; ; tries += 1) {
    const [result] = await query(databaseUrl, text)
    const row: Readonly<Record<string, string>> = result?.rows[0]
    if (Object.values(row).every((value) => Number(value) === count)) return
    if (tries === 100) throw new Error(`${side}: ${count} jobs, but ${JSON.stringify(row)}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/**
 * A database for each side on one server, empty or with a million finished jobs in its tables.
 */
import { Client, type QueryResult } from "pg"
import { copyJob, copyPeerJob } from "./Copies.ts"
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

/** Copies in one statement: its memory and its lock do not grow with the number of jobs. */
const batchMax = 50_000

/** Fills the tables of a side in which one job has ended with so many copies of it. */
export const fill = async (
  databaseUrl: string,
  { count, side }: { readonly side: Side; readonly count: number }
): Promise<void> => {
  const [found] = await query(
    databaseUrl,
    `SELECT id
    FROM ${side === "ours" ? "verbatim_jobs" : "jobs"} LIMIT 1`
  )
  const id = String(found?.rows[0]?.id)
  const copy = side === "ours" ? copyJob : copyPeerJob
  for (let from = 1; from <= count; from += batchMax) {
    const series = `generate_series(${from}, ${Math.min(count, from + batchMax - 1)}) AS n`
    // References are not checked a million times: the copied rows have them.
    await query(databaseUrl, "SET session_replication_role = replica", ...copy(id, series))
  }
  await query(databaseUrl, "VACUUM ANALYZE", "CHECKPOINT")
}

/** Of each side: jobs with a webhook delivered, charges, and transcripts. They must be as many. */
const counts: Readonly<Record<"ours" | "peer", string>> = {
  ours: `SELECT (SELECT count(*) FROM verbatim_jobs WHERE status = 'WEBHOOK_DELIVERED')
    AS delivered,
    (SELECT count(*) FROM verbatim_ledger WHERE job_id IS NOT NULL) AS charged,
    (SELECT count(*) FROM verbatim_transcript_chunks) AS transcribed`,
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

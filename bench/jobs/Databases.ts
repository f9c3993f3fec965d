/** Creates an empty database for each side, on one server. */
import { Client, type QueryResult } from "pg"
import type { Side } from "./Fleet.ts"
import { tables } from "./peers/Tables.ts"

/** Runs statements on a separate session. */
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

/**
 * Creates a database and returns its URL. For a peer, the database contains the peers' own tables.
 */
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

/**
 * Queries for each side that count jobs with a delivered webhook, charges, and transcripts. The
 * three counts must be equal.
 */
const counts: Readonly<Record<"ours" | "peer", string>> = {
  ours: `SELECT (SELECT count(*) FROM verbatim_jobs WHERE status = 'WEBHOOK_DELIVERED')
    AS delivered,
    (SELECT count(*) FROM verbatim_ledger WHERE job_id IS NOT NULL) AS charged,
    (SELECT count(*) FROM verbatim_transcript_chunks) AS transcribed`,
  peer: `SELECT (SELECT count(*) FROM jobs WHERE webhook_status = 'DELIVERED') AS delivered,
    (SELECT count(*) FROM ledger) AS charged, (SELECT count(*) FROM transcripts) AS transcribed`
}

/** Fails unless the given number of jobs are delivered, charged once, and have a transcript. */
export const verify = async (
  databaseUrl: string,
  { count, side }: { readonly side: Side; readonly count: number }
): Promise<void> => {
  const text = counts[side === "ours" ? "ours" : "peer"]
  // Repeats the query, because the last outcomes are written after the receiver has responded.
  for (let tries = 0; ; tries += 1) {
    const [result] = await query(databaseUrl, text)
    const row: Readonly<Record<string, string>> = result?.rows[0]
    if (Object.values(row).every((value) => Number(value) === count)) return
    if (tries === 100) throw new Error(`${side}: ${count} jobs, but ${JSON.stringify(row)}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/**
 * The tables that both hand-written peers use in addition to their queues: jobs with outcomes,
 * transcripts, a ledger and a balance.
 */
import type { Pool } from "pg"
import { Agent, request } from "undici"
import { audioMillis, callbackIdOf, type Place, spoken } from "../serve.ts"

export const workspaceId = "00000000-0000-0000-0000-000000000001"

/** The tables, with the keys and indexes needed for the queries that our own tables support. */
export const tables = `
  CREATE TABLE workspaces (id uuid PRIMARY KEY, balance_millis bigint NOT NULL);
  CREATE TABLE jobs (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    workspace_id uuid NOT NULL,
    accepted_at timestamptz NOT NULL DEFAULT now(),
    callback_url text NOT NULL,
    callback_id text NOT NULL,
    status text NOT NULL DEFAULT 'IN_QUEUE',
    webhook_status text NOT NULL DEFAULT 'PENDING',
    http_status integer,
    delivered_at timestamptz);
  CREATE INDEX jobs_by_workspace ON jobs (workspace_id, id);
  CREATE INDEX jobs_by_status ON jobs (workspace_id, status, id);
  CREATE TABLE transcripts (
    job_id uuid PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE, content text NOT NULL);
  CREATE TABLE ledger (
    entry bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    job_id uuid NOT NULL UNIQUE,
    millis bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX ledger_by_workspace ON ledger (workspace_id, entry);
  INSERT INTO workspaces VALUES ('${workspaceId}', 600000000000)`

/** Inserts a new job. The caller adds the queue entry in the same transaction. */
export const jobRow = ({ callbackUrl }: Place, number: number): ReadonlyArray<string> => [
  workspaceId,
  callbackUrl,
  callbackIdOf(number)
]

/** The stored form of the engine's result. */
export const transcript = JSON.stringify({
  durationMillis: audioMillis,
  language: "en",
  segments: spoken
})

/** The transcription step as one idempotent statement: $1 is the job and $2 the transcript. */
export const transcribing = `
  step AS (UPDATE jobs SET status = 'TRANSCRIBED' WHERE id = $1 AND status = 'IN_QUEUE'
    RETURNING id, workspace_id),
  content AS (INSERT INTO transcripts (job_id, content) SELECT id, $2 FROM step),
  charge AS (INSERT INTO ledger (workspace_id, job_id, millis)
    SELECT workspace_id, id, -${audioMillis} FROM step
    ON CONFLICT (job_id) DO NOTHING RETURNING workspace_id, millis),
  paid AS (UPDATE workspaces SET balance_millis = balance_millis + charge.millis
    FROM charge WHERE workspaces.id = charge.workspace_id)`

interface Wanted {
  readonly callback_url: string
  readonly callback_id: string
  readonly content: string
}

const agent = new Agent({ connections: 64 })

const post = async (id: string, { callback_id, callback_url, content }: Wanted) => {
  const { body, statusCode } = await request(callback_url, {
    method: "POST",
    dispatcher: agent,
    headers: { "content-type": "application/json", "x-callback-id": callback_id },
    body: JSON.stringify({ id, status: "TRANSCRIBED", output: JSON.parse(content) }),
    headersTimeout: 30_000
  })
  await body.dump()
  return statusCode
}

/** The webhook step: reads the webhook's content, sends it, and records the response. */
export const deliver = async (pool: Pool, id: string): Promise<void> => {
  const { rows } = await pool.query<Wanted>({
    name: "wanted",
    text: `SELECT callback_url, callback_id, content FROM jobs
      JOIN transcripts ON transcripts.job_id = jobs.id
      WHERE jobs.id = $1 AND webhook_status = 'PENDING'`,
    values: [id]
  })
  const [wanted] = rows
  if (wanted === undefined) return
  const status = await post(id, wanted)
  if (status < 200 || status > 299) throw new Error(`the receiver answered with ${status}`)
  await pool.query({
    name: "outcome",
    text: `UPDATE jobs SET webhook_status = 'DELIVERED', http_status = $2, delivered_at = now()
      WHERE id = $1`,
    values: [id, status]
  })
}

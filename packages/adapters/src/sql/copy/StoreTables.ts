/**
 * Every table of the stores with its columns: what a copy takes along, in an order in which a row
 * comes after the rows that it refers to. A test compares this with the tables that the migrations
 * make, so a new column cannot be forgotten.
 */

/** What a column holds. Instants and counts are integers of 64 bits; JSON is text, as written. */
type ColumnKind = "Integer" | "Text"

/** A table whose rows are copied. */
export interface StoreTable {
  readonly name: string
  /** Its primary key: rows are read in this order. */
  readonly key: ReadonlyArray<string>
  readonly columns: Readonly<Record<string, ColumnKind>>
  /** Columns that stay empty in the copy: a lease belongs to a process of the old store. */
  readonly left?: ReadonlyArray<string>
  /** Rows in memory at a time. */
  readonly pageMax: number
  /** The column that the database counts up by itself. */
  readonly sequence?: string
}

/** A row has some kilobytes at most: a page some megabytes. */
const small = 500

/** A row has up to 3 MB: pieces of texts, and configurations of presets. */
const large = 16

const [int, text] = ["Integer", "Text"] as const

const tenants: ReadonlyArray<StoreTable> = [
  {
    name: "workspaces",
    key: ["id"],
    columns: {
      id: text,
      name: text,
      first_user_id: text,
      created_at: int,
      balance_millis: int,
      status: text,
      revision: int,
      external_id: text,
      status_updated_at: int,
      requests_per_second: int,
      unfinished_jobs: int,
      minutes_per_day: int,
      media_days: int,
      transcript_days: int,
      job_days: int
    },
    pageMax: small
  },
  {
    name: "api_keys",
    key: ["id"],
    columns: {
      id: text,
      workspace_id: text,
      user_id: text,
      kind: text,
      hash: text,
      hint: text,
      created_at: int,
      revoked_at: int,
      name: text,
      holder: text,
      scopes: text,
      expires_at: int,
      last_used_at: int,
      requests_per_second: int,
      unfinished_jobs: int,
      minutes_per_day: int
    },
    pageMax: small
  },
  {
    name: "operator_keys",
    key: ["id"],
    columns: {
      id: text,
      hash: text,
      hint: text,
      name: text,
      created_at: int,
      expires_at: int,
      revoked_at: int,
      last_used_at: int
    },
    pageMax: small
  },
  {
    name: "webhook_secrets",
    key: ["id"],
    columns: { id: text, workspace_id: text, secret: text, created_at: int },
    pageMax: small
  },
  {
    name: "ledger",
    key: ["entry"],
    columns: {
      entry: int,
      workspace_id: text,
      credit_id: text,
      job_id: text,
      key_id: text,
      millis: int,
      at: int
    },
    pageMax: small,
    sequence: "entry"
  }
]

const presets: ReadonlyArray<StoreTable> = [
  {
    name: "presets",
    key: ["id"],
    columns: {
      id: text,
      workspace_id: text,
      slug: text,
      name: text,
      description: text,
      creator_user_id: text,
      status: text,
      latest_version: int,
      designated_version: int,
      designated_version_id: text,
      status_updated_at: int,
      created_at: int,
      updated_at: int,
      revision: int
    },
    pageMax: small
  },
  {
    name: "preset_versions",
    key: ["id"],
    columns: {
      id: text,
      preset_id: text,
      version: int,
      creator_id: text,
      system_prompt: text,
      config: text,
      created_at: int,
      updated_at: int
    },
    pageMax: large
  },
  {
    name: "preset_designations",
    key: ["preset_id", "revision"],
    columns: { preset_id: text, revision: int, version: int, user_id: text, at: int },
    pageMax: small
  },
  {
    name: "preset_keys",
    key: ["workspace_id", "key"],
    columns: { workspace_id: text, key: text, fingerprint: text, version_id: text, at: int },
    pageMax: small
  },
  {
    name: "preset_changes",
    key: ["id"],
    columns: { id: text, preset_id: text, revision: int },
    pageMax: small
  }
]

const jobs: ReadonlyArray<StoreTable> = [
  {
    name: "jobs",
    key: ["id"],
    columns: {
      id: text,
      workspace_id: text,
      revision: int,
      accepted_at: int,
      is_transcription_ended: int,
      state: text,
      status: text,
      format: int,
      ended_at: int,
      holding: int
    },
    pageMax: small
  },
  {
    name: "job_history",
    key: ["job_id", "revision"],
    columns: { job_id: text, revision: int, at: int, token: text, events: text },
    pageMax: small
  },
  {
    name: "transcript_chunks",
    key: ["job_id", "ordinal"],
    columns: { job_id: text, ordinal: int, content: text },
    pageMax: large
  },
  {
    name: "kept_bodies",
    key: ["job_id", "ordinal"],
    columns: {
      job_id: text,
      ordinal: int,
      delivery_id: text,
      content_type: text,
      content: text
    },
    pageMax: large
  },
  {
    name: "idempotency_keys",
    key: ["workspace_id", "key"],
    columns: { workspace_id: text, key: text, fingerprint: text, job_id: text, at: int },
    pageMax: small
  },
  {
    name: "work",
    key: ["job_id"],
    columns: {
      job_id: text,
      kind: text,
      lane: text,
      due_at: int,
      workspace_id: text,
      key_id: text,
      lane_hash: int,
      format: int
    },
    left: ["lease_until", "token", "progress"],
    pageMax: small
  },
  {
    name: "media_mark",
    key: ["id"],
    columns: { id: int, marker: text },
    pageMax: small
  }
]

/** All of them. */
export const storeTables: ReadonlyArray<StoreTable> = [...tenants, ...presets, ...jobs]

/** Tables that are not copied, with the reason. */
export const otherTables: Readonly<Record<string, string>> = {
  verbatim_migrations: "each database records its own migrations",
  verbatim_migration_steps: "each database records its own migrations",
  request_rates: "what was sent in the last second",
  workers: "signs of processes that use the old store",
  retention_turn: "the turn of one of these processes"
}

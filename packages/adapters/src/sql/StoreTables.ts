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
  /** Columns that are not copied: leases, places in a feed and media belong to the old store. */
  readonly left?: ReadonlyArray<string>
  /** Rows in memory at a time. */
  readonly pageMax: number
  /** The column that the database counts up by itself. */
  readonly sequence?: string
}

/** Of rows that have some kilobytes at most: a page has some megabytes. */
const smallPageMax = 500

/** Of rows that have up to 3 MB: pieces of texts, and configurations of presets. */
const largePageMax = 16

const [int, text] = ["Integer", "Text"] as const

/** Tables by their names, with small rows where nothing else is said. */
const listTables = (
  tables: Readonly<
    Record<string, Omit<StoreTable, "name" | "pageMax"> & Partial<Pick<StoreTable, "pageMax">>>
  >
): ReadonlyArray<StoreTable> =>
  Object.entries(tables).map(([name, table]) => ({ pageMax: smallPageMax, ...table, name }))

const tenants = listTables({
  verbatim_workspaces: {
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
      job_days: int,
      keywords: text
    }
  },
  verbatim_api_keys: {
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
    }
  },
  verbatim_operator_keys: {
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
    }
  },
  verbatim_webhook_secrets: {
    key: ["id"],
    columns: { id: text, workspace_id: text, secret: text, created_at: int }
  },
  verbatim_ledger: {
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
    sequence: "entry"
  }
})

const presets = listTables({
  verbatim_presets: {
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
      revision: int,
      labels: text
    }
  },
  verbatim_preset_versions: {
    key: ["id"],
    columns: {
      id: text,
      preset_id: text,
      version: int,
      creator_id: text,
      request_format: text,
      system_prompt: text,
      config: text,
      wins: text,
      comment: text,
      erased: text,
      created_at: int,
      updated_at: int
    },
    pageMax: largePageMax
  },
  verbatim_preset_designations: {
    key: ["preset_id", "revision"],
    columns: { preset_id: text, revision: int, version: int, user_id: text, at: int }
  },
  verbatim_preset_label_moves: {
    key: ["preset_id", "revision"],
    columns: {
      preset_id: text,
      revision: int,
      label: text,
      version: int,
      user_id: text,
      at: int
    }
  },
  verbatim_protected_labels: {
    key: ["workspace_id", "label"],
    columns: { workspace_id: text, label: text, user_id: text, at: int }
  },
  verbatim_preset_keys: {
    key: ["workspace_id", "key"],
    columns: { workspace_id: text, key: text, fingerprint: text, version_id: text, at: int }
  },
  verbatim_preset_changes: {
    key: ["id"],
    columns: { id: text, preset_id: text, revision: int }
  }
})

const jobs = listTables({
  verbatim_jobs: {
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
      holding: int,
      callback_id: text
    }
  },
  verbatim_job_history: {
    key: ["job_id", "revision"],
    columns: { job_id: text, revision: int, at: int, token: text, events: text },
    left: ["ordinal"]
  },
  verbatim_transcript_chunks: {
    key: ["job_id", "ordinal"],
    columns: { job_id: text, ordinal: int, content: text, peaks: text },
    pageMax: largePageMax
  },
  verbatim_kept_bodies: {
    key: ["job_id", "ordinal"],
    columns: { job_id: text, ordinal: int, delivery_id: text, content_type: text, content: text },
    pageMax: largePageMax
  },
  verbatim_corrections: {
    key: ["job_id"],
    columns: {
      job_id: text,
      ordinal: int,
      version: int,
      outline: text,
      speakers: text,
      written_length: int
    }
  },
  verbatim_corrected_segments: {
    key: ["job_id", "segment"],
    columns: { job_id: text, segment: int, text, speaker: text }
  },
  verbatim_correction_versions: {
    key: ["job_id", "version"],
    columns: {
      job_id: text,
      version: int,
      id: text,
      at: int,
      user_id: text,
      key_id: text,
      back_to: int,
      named: text,
      speakers: text,
      segment_count: int,
      idempotency_key: text,
      fingerprint: text
    }
  },
  verbatim_correction_changes: {
    key: ["job_id", "version", "segment"],
    columns: { job_id: text, version: int, segment: int, text, speaker: text }
  },
  verbatim_idempotency_keys: {
    key: ["workspace_id", "key"],
    columns: { workspace_id: text, key: text, fingerprint: text, job_id: text, at: int }
  },
  verbatim_work: {
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
    left: ["lease_until", "token", "progress"]
  },
  verbatim_media_mark: {
    key: ["id"],
    columns: { id: int, marker: text },
    left: ["owner"]
  }
})

/** All of them. */
export const storeTables: ReadonlyArray<StoreTable> = [...tenants, ...presets, ...jobs]

/** Tables that are not copied, with the reason. */
export const otherTables: Readonly<Record<string, string>> = {
  verbatim_migrations: "each database records its own migrations",
  verbatim_migration_steps: "each database records its own migrations",
  verbatim_database_identity: "each database has an identity of its own",
  verbatim_job_feed: "each database has a feed of its own",
  verbatim_job_deletions: "each database has a feed of its own",
  verbatim_request_rates: "what was sent in the last second",
  verbatim_workers: "signs of processes that use the old store",
  verbatim_retention_turn: "the turn of one of these processes"
}

/** Every table, for those who look whether a name is taken. */
export const tableNames: ReadonlyArray<string> = [
  ...storeTables.map(({ name }) => name),
  ...Object.keys(otherTables)
]

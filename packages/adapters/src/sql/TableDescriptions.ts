/**
 * The tables of the stores, described once: from here come the schema of both databases and what a
 * copy takes along. A row comes after the rows that it refers to. Instants are whole milliseconds;
 * values that are read as a whole are JSON in a text column, so that every database keeps them as
 * written.
 */

/** `key`: a text that is searched, ordered or referred to. `small`: 32 bits. */
export type ColumnType = "int" | "key" | "sequence" | "small" | "text"

/** A type; `?` where it may be empty, and after `=` a default. */
export type Column = ColumnType | `${ColumnType}?` | `${ColumnType} = ${string}`

/** Clustered: small rows that live in their primary key. Queue: rows that come and go constantly. */
export type Storage = "Clustered" | "Plain" | "Queue"

/** A table as it is described. */
export interface Description {
  readonly key: ReadonlyArray<string>
  readonly columns: Readonly<Record<string, Column>>
  readonly constraints?: ReadonlyArray<string>
  /** By name: what follows the table, or `UNIQUE` before that. */
  readonly indexes?: Readonly<Record<string, string>>
  readonly storage?: Storage
  /** Columns that are not copied: leases, places in a feed and media belong to the old store. */
  readonly left?: ReadonlyArray<string>
  /** Why none of its rows is copied. */
  readonly apart?: string
  /** Rows of a copy in memory at a time. */
  readonly pageMax?: number
}

/** Of rows that have up to 3 MB: pieces of texts, and configurations of presets. */
const largePageMax = 16

type Descriptions = Readonly<Record<string, Description>>

const tenants: Descriptions = {
  workspaces: {
    key: ["id"],
    columns: {
      id: "key",
      name: "text",
      first_user_id: "text",
      created_at: "int",
      balance_millis: "int",
      status: "key = 'Active'",
      revision: "int = 1",
      external_id: "key?",
      status_updated_at: "int?",
      requests_per_second: "int?",
      unfinished_jobs: "int?",
      minutes_per_day: "int?",
      media_days: "int?",
      transcript_days: "int?",
      job_days: "int?",
      keywords: "text = '[]'"
    },
    indexes: {
      workspaces_by_external_id: "UNIQUE (external_id)",
      workspaces_by_status: "(status, id)"
    }
  },
  api_keys: {
    key: ["id"],
    columns: {
      id: "key",
      workspace_id: "key",
      user_id: "text",
      kind: "key",
      hash: "key",
      hint: "text",
      created_at: "int",
      revoked_at: "int?",
      name: "text?",
      holder: "text?",
      scopes: "text?",
      expires_at: "int?",
      last_used_at: "int?",
      requests_per_second: "int?",
      unfinished_jobs: "int?",
      minutes_per_day: "int?"
    },
    constraints: [
      "UNIQUE (hash)",
      "FOREIGN KEY (workspace_id) REFERENCES verbatim_workspaces (id)"
    ],
    indexes: {
      api_keys_by_workspace: "(workspace_id, created_at, id)"
    }
  },
  operator_keys: {
    key: ["id"],
    columns: {
      id: "key",
      hash: "key",
      hint: "text",
      name: "text?",
      created_at: "int",
      expires_at: "int?",
      revoked_at: "int?",
      last_used_at: "int?"
    },
    constraints: ["UNIQUE (hash)"]
  },
  // In the clear: a signature cannot be made from a hash.
  webhook_secrets: {
    key: ["id"],
    columns: {
      id: "key",
      workspace_id: "key",
      secret: "text",
      created_at: "int"
    },
    constraints: ["FOREIGN KEY (workspace_id) REFERENCES verbatim_workspaces (id)"],
    indexes: {
      webhook_secrets_by_workspace: "(workspace_id, created_at, id)"
    }
  },
  ledger: {
    key: ["entry"],
    columns: {
      entry: "sequence",
      workspace_id: "key",
      credit_id: "key?",
      job_id: "key?",
      key_id: "key?",
      millis: "int",
      at: "int"
    },
    // Jobs are deleted but their charges stay: hence no reference.
    constraints: [
      "CHECK ((credit_id IS NULL) <> (job_id IS NULL))",
      "UNIQUE (credit_id)",
      "UNIQUE (job_id)",
      "FOREIGN KEY (workspace_id) REFERENCES verbatim_workspaces (id)"
    ],
    indexes: {
      ledger_by_time: "(workspace_id, at)",
      ledger_by_workspace: "(workspace_id, entry)"
    }
  }
}

const presets: Descriptions = {
  presets: {
    key: ["id"],
    columns: {
      id: "key",
      workspace_id: "key",
      slug: "key",
      name: "text",
      description: "text?",
      creator_user_id: "text",
      status: "text",
      latest_version: "int",
      designated_version: "int",
      designated_version_id: "key",
      status_updated_at: "int?",
      created_at: "int",
      updated_at: "int",
      revision: "int = 1",
      labels: "text = '{}'"
    },
    constraints: [
      "FOREIGN KEY (workspace_id) REFERENCES verbatim_workspaces (id)",
      "UNIQUE (workspace_id, slug)"
    ],
    indexes: {
      presets_by_update: "(workspace_id, updated_at, id)",
      presets_removed: "(workspace_id, id) WHERE status = 'Removed'"
    }
  },
  preset_versions: {
    key: ["id"],
    columns: {
      id: "key",
      preset_id: "key",
      version: "int",
      creator_id: "text",
      request_format: "text?",
      system_prompt: "text?",
      config: "text",
      wins: "text?",
      comment: "text?",
      erased: "text?",
      created_at: "int",
      updated_at: "int"
    },
    constraints: [
      "FOREIGN KEY (preset_id) REFERENCES verbatim_presets (id)",
      "UNIQUE (preset_id, version)"
    ],
    pageMax: largePageMax
  },
  // The version designated before is that of the row before: stored twice, the two could differ.
  preset_designations: {
    key: ["preset_id", "revision"],
    columns: {
      preset_id: "key",
      revision: "int",
      version: "int",
      user_id: "text",
      at: "int"
    },
    constraints: [
      "FOREIGN KEY (preset_id, version) REFERENCES verbatim_preset_versions (preset_id, version)"
    ],
    storage: "Clustered"
  },
  preset_label_moves: {
    key: ["preset_id", "revision"],
    columns: {
      preset_id: "key",
      revision: "int",
      label: "key",
      version: "int?",
      user_id: "text",
      at: "int"
    },
    constraints: [
      "FOREIGN KEY (preset_id, version) REFERENCES verbatim_preset_versions (preset_id, version)"
    ],
    indexes: {
      label_moves_by_label: "(preset_id, label, revision)"
    },
    storage: "Clustered"
  },
  protected_labels: {
    key: ["workspace_id", "label"],
    columns: {
      workspace_id: "key",
      label: "key",
      user_id: "text?",
      at: "int"
    },
    constraints: ["FOREIGN KEY (workspace_id) REFERENCES verbatim_workspaces (id)"],
    storage: "Clustered"
  },
  preset_keys: {
    key: ["workspace_id", "key"],
    columns: {
      workspace_id: "key",
      key: "key",
      fingerprint: "text",
      version_id: "key",
      at: "int"
    },
    constraints: ["FOREIGN KEY (version_id) REFERENCES verbatim_preset_versions (id)"],
    indexes: {
      preset_keys_by_age: "(at)",
      preset_keys_by_version: "(version_id)"
    },
    storage: "Clustered"
  },
  preset_changes: {
    key: ["id"],
    columns: {
      id: "key",
      preset_id: "key",
      revision: "int"
    },
    constraints: ["FOREIGN KEY (preset_id) REFERENCES verbatim_presets (id)"],
    indexes: {
      preset_changes_by_preset: "(preset_id)"
    },
    storage: "Clustered"
  }
}

const jobs: Descriptions = {
  // The state is the whole job; the other columns repeat the parts that statements search.
  jobs: {
    key: ["id"],
    columns: {
      id: "key",
      workspace_id: "key",
      revision: "int",
      accepted_at: "int",
      is_transcription_ended: "int",
      state: "text",
      status: "key = ''",
      format: "int = 1",
      ended_at: "int?",
      holding: "int = 0",
      callback_id: "key = ''"
    },
    indexes: {
      jobs_by_callback: "(workspace_id, callback_id, id) WHERE callback_id <> ''",
      jobs_by_end: "(workspace_id, holding, ended_at, id) WHERE ended_at IS NOT NULL",
      jobs_by_status: "(workspace_id, status, id)",
      // Jobs that wait for their summary or their webhook.
      jobs_by_unnoted_end:
        "(workspace_id, accepted_at, id) WHERE is_transcription_ended = 1 AND ended_at IS NULL",
      jobs_by_workspace: "(workspace_id, id)"
    }
  },
  job_history: {
    key: ["job_id", "revision"],
    columns: {
      job_id: "key",
      revision: "int",
      at: "int",
      token: "text?",
      events: "text",
      ordinal: "int?"
    },
    constraints: ["FOREIGN KEY (job_id) REFERENCES verbatim_jobs (id) ON DELETE CASCADE"],
    indexes: {
      job_history_by_ordinal: "(ordinal, job_id, revision) WHERE ordinal IS NOT NULL"
    },
    storage: "Clustered",
    left: ["ordinal"]
  },
  transcript_chunks: {
    key: ["job_id", "ordinal"],
    columns: {
      job_id: "key",
      ordinal: "int",
      content: "text",
      peaks: "text?"
    },
    constraints: ["FOREIGN KEY (job_id) REFERENCES verbatim_jobs (id) ON DELETE CASCADE"],
    pageMax: largePageMax
  },
  kept_bodies: {
    key: ["job_id", "ordinal"],
    columns: {
      job_id: "key",
      ordinal: "int",
      delivery_id: "key",
      content_type: "text",
      content: "text"
    },
    constraints: ["FOREIGN KEY (job_id) REFERENCES verbatim_jobs (id) ON DELETE CASCADE"],
    pageMax: largePageMax
  },
  // It refers to the first piece of its transcript, so that whatever removes that removes it too.
  corrections: {
    key: ["job_id"],
    columns: {
      job_id: "key",
      ordinal: "int",
      version: "int",
      outline: "text",
      speakers: "text",
      written_length: "int"
    },
    constraints: [
      "FOREIGN KEY (job_id, ordinal) REFERENCES verbatim_transcript_chunks (job_id, ordinal) ON DELETE CASCADE"
    ],
    indexes: {
      corrections_aside: "(job_id) WHERE ordinal < 0"
    }
  },
  corrected_segments: {
    key: ["job_id", "segment"],
    columns: {
      job_id: "key",
      segment: "int",
      text: "text?",
      speaker: "text?"
    },
    constraints: [
      "FOREIGN KEY (job_id) REFERENCES verbatim_corrections (job_id) ON DELETE CASCADE"
    ],
    storage: "Clustered"
  },
  correction_versions: {
    key: ["job_id", "version"],
    columns: {
      job_id: "key",
      version: "int",
      id: "key",
      at: "int",
      user_id: "text",
      key_id: "key?",
      back_to: "int?",
      named: "text",
      speakers: "text?",
      segment_count: "int",
      idempotency_key: "key?",
      fingerprint: "text?"
    },
    constraints: [
      "FOREIGN KEY (job_id) REFERENCES verbatim_corrections (job_id) ON DELETE CASCADE"
    ],
    indexes: {
      corrections_by_key: "(job_id, idempotency_key)"
    },
    storage: "Clustered"
  },
  correction_changes: {
    key: ["job_id", "version", "segment"],
    columns: {
      job_id: "key",
      version: "int",
      segment: "int",
      text: "text?",
      speaker: "text?"
    },
    constraints: [
      "FOREIGN KEY (job_id, version) REFERENCES verbatim_correction_versions (job_id, version) ON DELETE CASCADE"
    ],
    storage: "Clustered"
  },
  // A record outlives its job, so that a late repeat makes no second one: hence no reference.
  idempotency_keys: {
    key: ["workspace_id", "key"],
    columns: {
      workspace_id: "key",
      key: "key",
      fingerprint: "text",
      job_id: "key",
      at: "int"
    },
    indexes: {
      idempotency_keys_by_age: "(at)"
    },
    storage: "Clustered"
  },
  // Live jobs only. A lease is written without touching an index.
  work: {
    key: ["job_id"],
    columns: {
      job_id: "key",
      kind: "key",
      lane: "key",
      due_at: "int",
      lease_until: "int?",
      token: "text?",
      progress: "int?",
      workspace_id: "key = ''",
      lane_hash: "small = 0",
      format: "small = 1",
      key_id: "key?"
    },
    constraints: ["FOREIGN KEY (job_id) REFERENCES verbatim_jobs (id) ON DELETE CASCADE"],
    indexes: {
      work_by_due: "(kind, due_at, job_id)",
      work_by_key: "(key_id)",
      work_by_lane: "(kind, workspace_id, lane_hash, due_at, job_id)",
      work_by_progress: "(workspace_id, job_id) WHERE progress IS NOT NULL"
    },
    storage: "Queue",
    left: ["lease_until", "token", "progress"]
  },
  media_mark: {
    key: ["id"],
    columns: {
      id: "int",
      marker: "text",
      owner: "text?"
    },
    constraints: ["CHECK (id = 1)"],
    left: ["owner"]
  }
}

/** Tables of one database alone. */
const others: Descriptions = {
  database_identity: {
    key: ["id"],
    columns: {
      id: "int",
      identity: "text",
      created_at: "int"
    },
    constraints: ["CHECK (id = 1)"],
    apart: "each database has an identity of its own"
  },
  job_feed: {
    key: ["id"],
    columns: {
      id: "int",
      mark: "text",
      ordinal: "int",
      forgotten: "int = 0"
    },
    constraints: ["CHECK (id = 1)"],
    apart: "each database has a feed of its own"
  },
  job_deletions: {
    key: ["job_id"],
    columns: {
      job_id: "key",
      workspace_id: "key",
      revision: "int",
      ordinal: "int",
      at: "int"
    },
    indexes: {
      job_deletions_by_ordinal: "(ordinal, job_id, revision)"
    },
    apart: "each database has a feed of its own"
  },
  request_rates: {
    key: ["name"],
    columns: {
      name: "key",
      level: "int",
      taken: "int",
      at: "int"
    },
    apart: "what was sent in the last second"
  },
  workers: {
    key: ["id"],
    columns: {
      id: "key",
      name: "text",
      running: "text",
      started_at: "int",
      seen_at: "int"
    },
    apart: "signs of processes that use the old store"
  },
  retention_turn: {
    key: ["id"],
    columns: {
      id: "int",
      holder: "text",
      until: "int"
    },
    apart: "the turn of one of these processes"
  }
}

/** Every table by its name without the prefix, in the order in which they are made. */
export const descriptions: Descriptions = { ...tenants, ...presets, ...jobs, ...others }

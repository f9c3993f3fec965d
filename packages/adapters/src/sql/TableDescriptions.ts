/**
 * Describes the stores' tables. The schemas of both databases and the list of copied columns are
 * derived from these descriptions. A table is listed after all tables that it refers to. Timestamps
 * are whole milliseconds. Values that are always read as a whole are JSON in a text column, so that
 * every database returns them exactly as written.
 */

/**
 * `key`: a string that statements search or order by, or that other tables refer to. `small`: an
 * integer of 32 bits.
 */
export type ColumnType = "int" | "key" | "sequence" | "small" | "text"

/** A column's type, followed by `?` if the column is nullable, or by `=` and a default. */
export type Column = ColumnType | `${ColumnType}?` | `${ColumnType} = ${string}`

/** `Clustered`: small rows that are stored within their primary key. `Queue`: short-lived rows. */
export type Storage = "Clustered" | "Plain" | "Queue"

/** A table's columns, keys, indexes and copy rules. */
export interface Description {
  readonly key: ReadonlyArray<string>
  readonly columns: Readonly<Record<string, Column>>
  readonly constraints?: ReadonlyArray<string>
  /**
   * Indexes by name. A definition is what follows the table's name in CREATE INDEX; a unique index
   * has `UNIQUE` before it.
   */
  readonly indexes?: Readonly<Record<string, string>>
  /** A column that contains words separated by spaces. Rows can be found by these words. */
  readonly searched?: string
  readonly storage?: Storage
  /** Columns that are not copied, because leases, feed positions and media belong to the source. */
  readonly excludedColumns?: ReadonlyArray<string>
  /** The reason why none of the table's rows are copied. */
  readonly exclusionReason?: string
  /** Number of rows that a copy keeps in memory at a time. */
  readonly pageMax?: number
}

/**
 * Rows per page of a copy if a row can take up to 3 MB, such as a chunk of text or a preset's
 * configuration.
 */
export const largePageMax = 16

export type Descriptions = Readonly<Record<string, Description>>

// Foreign keys to other tables.
const ofWorkspace = "FOREIGN KEY (workspace_id) REFERENCES verbatim_workspaces (id)"
const ofPreset = "FOREIGN KEY (preset_id) REFERENCES verbatim_presets (id)"
const ofVersion =
  "FOREIGN KEY (preset_id, version) REFERENCES verbatim_preset_versions (preset_id, version)"

const limits = {
  requests_per_second: "int?",
  unfinished_jobs: "int?",
  minutes_per_day: "int?"
} as const

/** Tables for workspaces, keys and ledgers. */
export const tenants: Descriptions = {
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
      ...limits,
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
      ...limits
    },
    constraints: ["UNIQUE (hash)", ofWorkspace],
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
  // Secrets are stored in plain text, because a hash of a secret cannot be used to sign.
  webhook_secrets: {
    key: ["id"],
    columns: {
      id: "key",
      workspace_id: "key",
      secret: "text",
      created_at: "int"
    },
    constraints: [ofWorkspace],
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
      at: "int",
      recognised: "int",
      reused: "int",
      engine_millis: "int"
    },
    // A charge has no foreign key to its job, because the charge is kept when the job is deleted.
    constraints: [
      "CHECK ((credit_id IS NULL) <> (job_id IS NULL))",
      "UNIQUE (workspace_id, credit_id)",
      "UNIQUE (job_id)",
      ofWorkspace
    ],
    indexes: {
      ledger_by_time: "(workspace_id, at)",
      ledger_by_workspace: "(workspace_id, entry)"
    }
  }
}

/** Tables for presets. */
export const presets: Descriptions = {
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
    constraints: [ofWorkspace, "UNIQUE (workspace_id, slug)"],
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
    constraints: [ofPreset, "UNIQUE (preset_id, version)"],
    pageMax: largePageMax
  },
  // The previously designated version is stored only in the preceding row, because a second copy
  // could differ.
  preset_designations: {
    key: ["preset_id", "revision"],
    columns: {
      preset_id: "key",
      revision: "int",
      version: "int",
      user_id: "text",
      at: "int"
    },
    constraints: [ofVersion],
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
    constraints: [ofVersion],
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
    constraints: [ofWorkspace],
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
    constraints: [ofPreset],
    indexes: {
      preset_changes_by_preset: "(preset_id)"
    },
    storage: "Clustered"
  }
}

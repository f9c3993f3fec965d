/** Describes the tables for jobs, and the tables that are never copied to another database. */
import { type Descriptions, largePageMax } from "./TableDescriptions.ts"

const ofJob = "FOREIGN KEY (job_id) REFERENCES verbatim_jobs (id) ON DELETE CASCADE"
const ofTranscript =
  "FOREIGN KEY (job_id, ordinal) REFERENCES verbatim_transcript_chunks (job_id, ordinal) " +
  "ON DELETE CASCADE"
const ofCorrections =
  "FOREIGN KEY (job_id) REFERENCES verbatim_corrections (job_id) ON DELETE CASCADE"
const isOne = "CHECK (id = 1)"

/** The tables for jobs, and for everything that belongs to a job. */
export const jobs: Descriptions = {
  // `state` contains the whole job; the other columns repeat the parts that statements search by.
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
      callback_id: "key = ''",
      cause: "key = ''"
    },
    indexes: {
      // The two indexes by cause contain only failed jobs, so writing other jobs does not become
      // slower.
      jobs_by_any_cause: "(cause, id) WHERE cause <> '' AND workspace_id <> ''",
      // Only the query that counts ended jobs repeats the condition on the cause, so only that
      // query uses this index.
      jobs_by_any_end: "(ended_at, cause) WHERE ended_at IS NOT NULL AND cause >= ''",
      // Only the query that lists all workspaces' jobs by status repeats this condition. Without
      // it, Postgres would also use this index to list a single workspace's jobs, and would read
      // those of all other workspaces.
      jobs_by_any_status: "(status, id) WHERE workspace_id <> ''",
      jobs_by_cause: "(workspace_id, cause, id) WHERE cause <> ''",
      jobs_by_callback: "(callback_id, workspace_id, id) WHERE callback_id <> ''",
      jobs_by_end: "(workspace_id, holding, ended_at, id) WHERE ended_at IS NOT NULL",
      jobs_by_status: "(workspace_id, status, id)",
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
    constraints: [ofJob],
    indexes: {
      job_history_by_ordinal: "(ordinal, job_id, revision) WHERE ordinal IS NOT NULL"
    },
    storage: "Clustered",
    excludedColumns: ["ordinal"]
  },
  transcript_chunks: {
    key: ["job_id", "ordinal"],
    columns: {
      job_id: "key",
      ordinal: "int",
      content: "text",
      peaks: "text?"
    },
    constraints: [ofJob],
    pageMax: largePageMax
  },
  pieces: {
    key: ["job_id", "ordinal"],
    columns: {
      job_id: "key",
      ordinal: "int",
      workspace_id: "key",
      digest: "key",
      content: "text"
    },
    constraints: [ofJob],
    indexes: {
      pieces_by_digest: "(workspace_id, digest)"
    },
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
    constraints: [ofJob],
    pageMax: largePageMax
  },
  // Corrections refer to the first chunk of their transcript, so that they are deleted with the
  // transcript.
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
    constraints: [ofTranscript]
  },
  corrected_segments: {
    key: ["job_id", "segment", "begins_at"],
    columns: {
      job_id: "key",
      segment: "int",
      begins_at: "int",
      text: "text?",
      speaker: "text?",
      edge: "text?"
    },
    constraints: [ofCorrections],
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
    constraints: [ofCorrections],
    indexes: {
      corrections_by_key: "(job_id, idempotency_key)"
    },
    storage: "Clustered"
  },
  correction_changes: {
    key: ["job_id", "version", "segment", "begins_at"],
    columns: {
      job_id: "key",
      version: "int",
      segment: "int",
      begins_at: "int",
      text: "text?",
      speaker: "text?",
      edge: "text?"
    },
    constraints: [
      "FOREIGN KEY (job_id, version) REFERENCES verbatim_correction_versions (job_id, version) " +
        "ON DELETE CASCADE"
    ],
    storage: "Clustered"
  },
  // Each row refers to the first chunk of its transcript, so that the row is deleted with the
  // transcript. The table is created after `corrections`, so that Postgres locks rows of both
  // tables in the same order as a correction.
  search_texts: {
    key: ["entry"],
    columns: {
      entry: "sequence",
      job_id: "key",
      ordinal: "int",
      words: "text",
      passages: "text"
    },
    constraints: ["UNIQUE (job_id)", ofTranscript],
    searched: "words",
    pageMax: largePageMax
  },
  // A record has no foreign key to its job, because it outlives the job: a late retry of the
  // request must not create a second job.
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
  // The table contains only unfinished jobs. Writing a lease changes no index.
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
    constraints: [ofJob],
    indexes: {
      work_by_due: "(kind, due_at, job_id)",
      work_by_key: "(key_id)",
      work_by_lane: "(kind, workspace_id, lane_hash, due_at, job_id)",
      work_by_progress: "(workspace_id, job_id) WHERE progress IS NOT NULL"
    },
    storage: "Queue",
    excludedColumns: ["lease_until", "token", "progress"]
  },
  media_mark: {
    key: ["id"],
    columns: {
      id: "int",
      marker: "text",
      owner: "text?"
    },
    constraints: [isOne],
    excludedColumns: ["owner"]
  }
}

/** Tables that belong to one database and are not copied. */
export const others: Descriptions = {
  database_identity: {
    key: ["id"],
    columns: {
      id: "int",
      identity: "text",
      created_at: "int"
    },
    constraints: [isOne],
    exclusionReason: "each database has an identity of its own"
  },
  job_feed: {
    key: ["id"],
    columns: {
      id: "int",
      mark: "text",
      ordinal: "int",
      forgotten: "int = 0"
    },
    constraints: [isOne],
    exclusionReason: "each database has a feed of its own"
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
    exclusionReason: "each database has a feed of its own"
  },
  request_rates: {
    key: ["name"],
    columns: {
      name: "key",
      level: "int",
      taken: "int",
      at: "int"
    },
    exclusionReason: "what was sent in the last second"
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
    exclusionReason: "signs of processes that use the old store"
  },
  // One row.
  paused_tasks: {
    key: ["id"],
    columns: { id: "int", tasks: "text" },
    exclusionReason: "pauses of the workers that use the old store"
  },
  retention_turn: {
    key: ["id"],
    columns: {
      id: "int",
      holder: "text",
      until: "int"
    },
    exclusionReason: "the turn of one of these processes"
  }
}

/**
 * The metrics of core: jobs, attempts, leases, claims, webhooks and pending work. Each row is one
 * metric; `docs/metrics.md` is generated from the rows.
 */
import { FailureName } from "../domain/attempt/Failure.ts"
import { Task, WorkKind } from "../domain/attempt/Work.ts"
import { version } from "../domain/version/index.ts"
import { LimitOwner } from "../domain/workspace/Limits.ts"
import { longSeconds, type MetricTable, shortSeconds } from "./MetricTable.ts"
import { makeRecorders, type Recorders } from "./Recorders.ts"

const sources = ["upload", "url"] as const

const jobs = {
  jobsAccepted: {
    name: "verbatim_jobs_accepted_total",
    help:
      "Jobs that were created, by the source of their media; repeated requests do not " + "count.",
    labels: { source: sources }
  },
  jobsEnded: {
    name: "verbatim_jobs_ended_total",
    help: "Jobs that ended; a redelivered or retried job ends again.",
    labels: {
      transcription: ["transcribed", "failed"],
      webhook: ["none", "delivered", "failed"]
    }
  },
  jobsDeleted: {
    name: "verbatim_jobs_deleted_total",
    help: "Jobs that a caller deleted.",
    labels: {}
  },
  jobDuration: {
    name: "verbatim_job_duration_seconds",
    help: "Time from a job's submission to its end, including its webhook and notice.",
    labels: { transcription: ["transcribed", "failed"] },
    buckets: longSeconds
  },
  audioTranscribed: {
    name: "verbatim_audio_transcribed_seconds_total",
    help: "Length of the audio that was transcribed and charged.",
    labels: {}
  },
  pieces: {
    name: "verbatim_pieces_total",
    help: "Pieces of recordings, by whether the engine recognised them or a result was reused.",
    labels: { outcome: ["recognised", "reused"] }
  },
  engineTime: {
    name: "verbatim_engine_seconds_total",
    help: "Time that engines took to recognise pieces.",
    labels: {}
  },
  mediaSize: {
    name: "verbatim_media_size_bytes",
    help: "Stored media: uploads, and downloads from URLs.",
    labels: { source: sources },
    buckets: [1e4, 1e5, 1e6, 5e6, 1e7, 2.5e7, 5e7, 1e8, 2e8, 1e9]
  },
  balanceRefusals: {
    name: "verbatim_balance_refusals_total",
    help: "Requests refused because the workspace has too few minutes.",
    labels: {}
  },
  limitRefusals: {
    name: "verbatim_limit_refusals_total",
    help: "Requests answered with 429 because of a limit of a workspace or a key.",
    labels: {
      limit: ["requestsPerSecond", "unfinishedJobs", "minutesPerDay"],
      of: LimitOwner.literals
    }
  },
  retentionRemovals: {
    name: "verbatim_retention_removals_total",
    help: "Data removed by retention: media, results (a transcript with its summary), whole jobs.",
    labels: { kind: ["media", "results", "job"] }
  }
} as const satisfies MetricTable

const attempts = {
  attempts: {
    name: "verbatim_attempts_total",
    help: "Attempts that ended, by task and outcome: a success, or a failure by name.",
    labels: { task: Task.literals, outcome: ["Succeeded", "Released", ...FailureName.literals] }
  },
  attemptDuration: {
    name: "verbatim_attempt_duration_seconds",
    help: "Time from the start of an attempt to its end, whatever the outcome.",
    labels: { task: Task.literals },
    buckets: longSeconds
  },
  workWait: {
    name: "verbatim_work_wait_seconds",
    help: "Time from the due time of a task to the start of its attempt.",
    labels: { task: Task.literals },
    buckets: longSeconds
  },
  attemptsRunning: {
    name: "verbatim_attempts_running",
    help: "Attempts that this process is running now.",
    labels: { task: Task.literals }
  },
  listeners: {
    name: "verbatim_listeners",
    help: "Subscribers of this process, and requests waiting for a status.",
    labels: {}
  },
  webhookDuration: {
    name: "verbatim_webhook_duration_seconds",
    help: "Webhook requests, by the receiver's status class; none if the receiver did not answer.",
    labels: { answer: ["2xx", "3xx", "4xx", "5xx", "none"] },
    buckets: shortSeconds
  }
} as const satisfies MetricTable

const queue = {
  claims: {
    name: "verbatim_claims_total",
    help: "Claims, by outcome: work was returned, the queue was empty, or the claim failed.",
    labels: { outcome: ["work", "empty", "failed"] }
  },
  claimDuration: {
    name: "verbatim_claim_duration_seconds",
    help: "Time that the queue took to answer a claim.",
    labels: {},
    buckets: shortSeconds
  },
  jobsClaimed: {
    name: "verbatim_jobs_claimed_total",
    help: "Tasks that this process claimed.",
    labels: {}
  },
  lanesFull: {
    name: "verbatim_lanes_full",
    help: "Lanes in which this process had the maximum number of running tasks at its last claim.",
    labels: {}
  },
  lastClaim: {
    name: "verbatim_last_claim_timestamp_seconds",
    help: "Time of the queue's last answer to a claim, by the queue's own clock.",
    labels: {}
  },
  leasesLost: {
    name: "verbatim_leases_lost_total",
    help:
      "Leases that another process took, or that were not renewed soon enough; their work " +
      "stops.",
    labels: { reason: ["taken", "overdue"] }
  },
  renewalsFailed: {
    name: "verbatim_lease_renewals_failed_total",
    help: "Lease renewals that the store did not answer.",
    labels: {}
  }
} as const satisfies MetricTable

const gauges = {
  pendingWork: {
    name: "verbatim_backlog_tasks",
    help: "Pending tasks in this database, up to 10000 of each kind, earliest first.",
    labels: { kind: WorkKind.literals, state: ["waiting", "held", "later"] }
  },
  oldestPending: {
    name: "verbatim_backlog_oldest_age_seconds",
    help: "Time for which the oldest unclaimed task has been due; 0 if there is none.",
    labels: { kind: WorkKind.literals }
  },
  queueUp: {
    name: "verbatim_queue_up",
    help: "Whether the database answered when it was last queried for pending work.",
    labels: {}
  },
  engineReady: {
    name: "verbatim_engine_ready",
    help: "Whether the speech engine of this process is ready.",
    labels: {}
  },
  dependencyUp: {
    name: "verbatim_dependency_up",
    help: "Whether this process reached the dependency when it last tried.",
    labels: { dependency: ["MediaStore", "SpeechEngine", "Summarizer", "Database"] }
  }
} as const satisfies MetricTable

const build = {
  buildInfo: {
    name: "verbatim_build_info",
    help: "Always 1; the label is the version of this process.",
    labels: { version: [version] }
  }
} as const satisfies MetricTable

/** The table of core's metrics. */
export const coreTable = { ...build, ...jobs, ...attempts, ...queue, ...gauges } as const

/** The recorders for core's metrics. */
export const coreMetrics: Recorders<typeof coreTable> = makeRecorders(coreTable)

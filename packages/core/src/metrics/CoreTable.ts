/**
 * The metrics of core: jobs, attempts, leases, claims, webhooks and what is owed. One row is one
 * metric; `docs/metrics.md` is written from them.
 */
import { Failure } from "../domain/attempt/Failure.ts"
import { Task, WorkKind } from "../domain/attempt/Work.ts"
import { version } from "../domain/version/index.ts"
import { LimitOwner } from "../domain/workspace/Limits.ts"
import { longSeconds, type MetricTable, shortSeconds } from "./MetricTable.ts"
import { makeRecorders, type Recorders } from "./Recorders.ts"

const failures = Object.keys(Failure.cases) as ReadonlyArray<Failure["_tag"]>

const sources = ["upload", "url"] as const

const jobs = {
  jobsAccepted: {
    name: "verbatim_jobs_accepted_total",
    help: "Jobs that were made, by where their media comes from; repeats of a request are none.",
    labels: { source: sources }
  },
  jobsEnded: {
    name: "verbatim_jobs_ended_total",
    help: "Jobs that came to their end; one that was asked for again ends again.",
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
    help: "From when a job was asked for to its end, its webhook and its notice included.",
    labels: { transcription: ["transcribed", "failed"] },
    buckets: longSeconds
  },
  audioTranscribed: {
    name: "verbatim_audio_transcribed_seconds_total",
    help: "Audio that was transcribed, and charged.",
    labels: {}
  },
  mediaSize: {
    name: "verbatim_media_size_bytes",
    help: "Media that was stored: uploads, and what was fetched from URLs.",
    labels: { source: sources },
    buckets: [1e4, 1e5, 1e6, 5e6, 1e7, 2.5e7, 5e7, 1e8, 2e8, 1e9]
  },
  balanceRefusals: {
    name: "verbatim_balance_refusals_total",
    help: "Requests that were refused because the workspace has too few minutes.",
    labels: {}
  },
  limitRefusals: {
    name: "verbatim_limit_refusals_total",
    help: "Requests that were answered with 429 because of a limit of a workspace or a key.",
    labels: {
      limit: ["requestsPerSecond", "unfinishedJobs", "minutesPerDay"],
      of: LimitOwner.literals
    }
  },
  retentionRemovals: {
    name: "verbatim_retention_removals_total",
    help: "What retention took: media, results (a transcript with its summary), whole jobs.",
    labels: { kind: ["media", "results", "job"] }
  }
} as const satisfies MetricTable

const attempts = {
  attempts: {
    name: "verbatim_attempts_total",
    help: "Attempts that ended, by task and by what came of them: a success or a failure by name.",
    labels: { task: Task.literals, outcome: ["Succeeded", "Released", ...failures] }
  },
  attemptDuration: {
    name: "verbatim_attempt_duration_seconds",
    help: "From the begin of an attempt to its end, whatever came of it.",
    labels: { task: Task.literals },
    buckets: longSeconds
  },
  workWait: {
    name: "verbatim_work_wait_seconds",
    help: "From when work was due to the begin of its attempt.",
    labels: { task: Task.literals },
    buckets: longSeconds
  },
  attemptsRunning: {
    name: "verbatim_attempts_running",
    help: "Attempts of this process that run now.",
    labels: { task: Task.literals }
  },
  listeners: {
    name: "verbatim_listeners",
    help: "Those who listen to jobs in this process, or wait for a status.",
    labels: {}
  },
  webhookDuration: {
    name: "verbatim_webhook_duration_seconds",
    help: "Webhook requests, by the class of the receiver's status; none without an answer.",
    labels: { answer: ["2xx", "3xx", "4xx", "5xx", "none"] },
    buckets: shortSeconds
  }
} as const satisfies MetricTable

const queue = {
  claims: {
    name: "verbatim_claims_total",
    help: "Looks for work: with work, without, or failed.",
    labels: { outcome: ["work", "empty", "failed"] }
  },
  claimDuration: {
    name: "verbatim_claim_duration_seconds",
    help: "How long the queue took to answer a look for work.",
    labels: {},
    buckets: shortSeconds
  },
  jobsClaimed: {
    name: "verbatim_jobs_claimed_total",
    help: "Pieces of work that were given out to this process.",
    labels: {}
  },
  lanesFull: {
    name: "verbatim_lanes_full",
    help: "Hosts to which this process has as many requests under way as it may, at its last look.",
    labels: {}
  },
  lastClaim: {
    name: "verbatim_last_claim_timestamp_seconds",
    help: "When the queue last answered a look for work, by its own clock.",
    labels: {}
  },
  leasesLost: {
    name: "verbatim_leases_lost_total",
    help: "Leases that somebody else has now, or that were not renewed in time: their work stops.",
    labels: { reason: ["taken", "overdue"] }
  },
  renewalsFailed: {
    name: "verbatim_lease_renewals_failed_total",
    help: "Renewals of leases that the store did not answer.",
    labels: {}
  }
} as const satisfies MetricTable

const standing = {
  owedWork: {
    name: "verbatim_owed_work",
    help: "Work that jobs owe in this database, up to 10000 of each kind and the earliest first.",
    labels: { kind: WorkKind.literals, state: ["waiting", "held", "later"] }
  },
  oldestOwed: {
    name: "verbatim_oldest_owed_work_age_seconds",
    help: "How long the oldest work has been due that nobody has taken; 0 when there is none.",
    labels: { kind: WorkKind.literals }
  },
  queueUp: {
    name: "verbatim_queue_up",
    help: "Whether the database answered when it was last asked for the work that jobs owe.",
    labels: {}
  },
  engineReady: {
    name: "verbatim_engine_ready",
    help: "Whether the speech engine of this process can work now.",
    labels: {}
  },
  dependencyUp: {
    name: "verbatim_dependency_up",
    help: "Whether this process reached what its work needs when it last tried.",
    labels: { dependency: ["MediaStore", "SpeechEngine", "Summarizer", "Database"] }
  }
} as const satisfies MetricTable

const build = {
  buildInfo: {
    name: "verbatim_build_info",
    help: "Always 1; its label is the version that this process runs.",
    labels: { version: [version] }
  }
} as const satisfies MetricTable

/** Every metric of core. */
export const coreTable = { ...build, ...jobs, ...attempts, ...queue, ...standing } as const

/** What core counts. */
export const coreMetrics: Recorders<typeof coreTable> = makeRecorders(coreTable)

/**
 * Defines the operations for operators on running workers, pending work and the jobs of all
 * workspaces.
 */

import { pendingMax, Task } from "@verbatim/core/attempt"
import { shownLanesMax, WorkspaceJob, WorkspaceJobPage } from "@verbatim/core/job"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { OperatorAuthentication } from "./Authentication.ts"
import { pickErrors, WorkspaceErrors } from "./Errors.ts"
import { describe, makeGroup } from "./Operation.ts"
import { countField, flagField, orNull, textField } from "./Parameters.ts"
import { OutageView } from "./SystemApi.ts"
import * as examples from "./transcription/Examples.ts"
import {
  actionRules,
  JobAction,
  JobActionResult,
  jobParameters,
  operatorActionQuery,
  operatorQuery,
  removalQuery
} from "./transcription/JobsApi.ts"

const Instant = Schema.String.annotate({
  format: "date-time",
  description: "An ISO 8601 timestamp in UTC with milliseconds."
})

const WorkerView = Schema.Struct({
  id: Schema.String,
  name: textField("Readable name: the machine and the process."),
  alive: flagField("Whether the worker sent a heartbeat within the duration of a lease."),
  started_at: Instant,
  seen_at: Instant,
  running: Schema.Record(Schema.String, Schema.Int).annotate({
    description: "Number of running attempts by task."
  }),
  outages: Schema.Array(OutageView).annotate({
    description: "Dependencies that the worker cannot use."
  })
}).annotate({ identifier: "WorkerView" })

const amountFields = {
  due: countField("Due, and not leased."),
  later: countField("Not due yet."),
  leased: countField("Leased by a worker.")
}

const countFields = {
  ...amountFields,
  due_since: orNull(Instant, "When the oldest due work became due; null if none is due.")
}

const LaneBacklogView = Schema.Struct({
  workspace_id: textField(
    "The workspace of the work; empty if an older version did not record it."
  ),
  lane: textField(
    "The destination: the origin of a webhook, or `from` and the origin of a download."
  ),
  ...countFields
}).annotate({ identifier: "LaneBacklog" })

const BacklogView = Schema.Struct({
  kind: textField(
    "A task, or `Isolate`: a task that runs alone because a process died while running it."
  ),
  ...countFields,
  lane_count: countField(
    "Number of lanes with such work. Work that contacts no other host has no lane."
  ),
  lanes: Schema.Array(LaneBacklogView).annotate({
    description: `The lanes with the most due work, at most ${shownLanesMax}.`
  })
}).annotate({ identifier: "Backlog" })

const workExamples = [
  {
    data: {
      at: "2030-01-02T03:04:05.678Z",
      workers: [
        {
          id: "0194246d-2f2e-4c5d-9e6f-7a8b9c0d1e2f",
          name: "host-1:4242",
          alive: true,
          started_at: "2030-01-02T01:00:00.000Z",
          seen_at: "2030-01-02T03:04:01.000Z",
          running: { Transcribe: 2 },
          outages: [
            {
              name: "summarizer" as const,
              tasks: ["Summarize" as const],
              failures: 3,
              cause: "401 invalid_api_key: Incorrect API key provided: [key]."
            }
          ]
        }
      ],
      backlog: [
        {
          kind: "Deliver",
          due: 0,
          later: 1,
          leased: 0,
          due_since: null,
          lane_count: 1,
          lanes: [
            {
              workspace_id: "0194246d-0000-7000-8000-000000000001",
              lane: "https://hooks.example.com",
              due: 0,
              later: 1,
              leased: 0,
              due_since: null
            }
          ]
        },
        {
          kind: "Transcribe",
          due: 3,
          later: 0,
          leased: 2,
          due_since: "2030-01-02T03:03:59.000Z",
          lane_count: 0,
          lanes: []
        }
      ],
      paused: ["Summarize" as const],
      failures: [{ task: "Deliver" as const, reason: "ReceiverRefused", count: 3 }],
      hours: [
        { from: "2030-01-02T02:00:00.000Z", completed: 118, failed: 0 },
        { from: "2030-01-02T03:00:00.000Z", completed: 9, failed: 3 }
      ]
    }
  }
]

const Tasks = Schema.Array(Task)

const FailureCountView = Schema.Struct({
  task: Task,
  reason: textField("The name of the failure."),
  count: Schema.Int
}).annotate({ identifier: "FailureCount" })

const EndedJobsView = Schema.Struct({
  from: Instant.annotate({ description: "The beginning of the hour." }),
  completed: countField("Ended without a failure."),
  failed: countField("Ended with a failed transcription, summary or webhook.")
}).annotate({ identifier: "EndedJobs" })

export const WorkAnswer = Schema.Struct({
  data: Schema.Struct({
    at: Instant,
    workers: Schema.Array(WorkerView),
    backlog: Schema.Array(BacklogView),
    paused: Tasks.annotate({ description: "Tasks that workers do not start." }),
    failures: Schema.Array(FailureCountView).annotate({
      description:
        "Tasks that the running workers gave up in the last hour, or since a later start, the " +
        "most frequent first."
    }),
    hours: Schema.Array(EndedJobsView).annotate({
      description:
        "The jobs that ended in each of the last 24 hours in UTC, the current hour last. Ended " +
        "jobs are counted once a minute; deleted jobs are not counted. While jobs cannot be " +
        "counted, the hours that began after the last count are missing, or all hours."
    })
  })
}).annotate({
  identifier: "WorkAnswer",
  description: "The workers, oldest first, and the pending work by kind and lane.",
  examples: workExamples
})

/** The amounts of pending work at one point in time. */
export const QueueSampleView = Schema.Struct({ at: Instant, ...amountFields }).annotate({
  identifier: "QueueSample",
  description: `Pending work at that time, counted up to ${pendingMax} for each kind.`
})

const QueueHistoryAnswer = Schema.Struct({
  data: Schema.Array(QueueSampleView)
}).annotate({
  identifier: "QueueHistory",
  description: "Pending work over time, oldest sample first.",
  examples: [
    {
      data: [
        { at: "2030-01-02T03:03:05.678Z", due: 0, later: 1, leased: 2 },
        { at: "2030-01-02T03:04:05.678Z", due: 3, later: 1, leased: 2 }
      ]
    }
  ]
})

const survey = describe(
  "Read workers and pending work",
  "The answer covers all processes and all workspaces. It is meant for people, and can be two",
  "seconds old."
).get("survey", "/v1/work", {
  success: WorkAnswer,
  error: [WorkspaceErrors[429]]
})

const JobOfWorkspace = WorkspaceJob.annotate({ identifier: "WorkspaceJob" })

const JobsAnswer = Schema.Struct({
  data: Schema.Array(JobOfWorkspace),
  next_cursor: WorkspaceJobPage.fields.next_cursor.annotate({
    description: "The `cursor` for the next page; null on the last page."
  })
}).annotate({
  identifier: "WorkspaceJobPage",
  description: "A page of jobs from all workspaces, newest first.",
  examples: [examples.workspaceJobs]
})

const jobs = describe(
  "List the jobs of all workspaces, newest first",
  "Shows which jobs fail in which workspace, and why. The list contains neither summaries nor",
  "transcripts. A job can be opened only with a key of its workspace."
).get("jobs", "/v1/work/jobs", {
  query: operatorQuery,
  success: JobsAnswer,
  error: pickErrors(WorkspaceErrors, 400, 404, 429)
})

/** A job after an operator has acted on it. */
const JobAnswer = Schema.Struct({ data: JobOfWorkspace }).annotate({
  identifier: "WorkspaceJobAnswer",
  description: "The job, with its workspace.",
  examples: examples.workspaceJobs.data.map((data) => ({ data }))
})

const actionErrors = pickErrors(WorkspaceErrors, 400, 404, 409, 429)

const retry = describe(
  "Retry a failed job of any workspace",
  "Does the same as `POST /v1/transcriptions/{id}/retry` with a key of the job's workspace. Jobs",
  "of a workspace that is being deleted are not found."
).post("retry", "/v1/work/jobs/:id/retry", {
  params: jobParameters,
  success: JobAnswer,
  error: actionErrors
})

const redeliver = describe(
  "Redeliver the webhook of a job of any workspace",
  "Does the same as `POST /v1/transcriptions/{id}/webhook` with a key of the job's workspace. Jobs",
  "of a workspace that is being deleted are not found."
).post("redeliver", "/v1/work/jobs/:id/webhook", {
  params: jobParameters,
  success: JobAnswer,
  error: actionErrors
})

const remove = describe(
  "Delete or cancel a job of any workspace",
  "Does the same as `DELETE /v1/transcriptions/{id}` with a key of the job's workspace. Jobs of a",
  "workspace that is being deleted are not found."
).delete("remove", "/v1/work/jobs/:id", {
  params: jobParameters,
  query: removalQuery,
  success: HttpApiSchema.NoContent,
  error: actionErrors
})

const act = describe(
  "Retry, redeliver, cancel or delete many jobs of any workspace",
  actionRules,
  "Jobs of a workspace that is being deleted are not found."
).post("act", "/v1/work/jobs/actions", {
  query: operatorActionQuery,
  payload: JobAction,
  success: JobActionResult,
  error: pickErrors(WorkspaceErrors, 400, 404, 429)
})

/** The kinds of tasks that are paused: no worker starts them. */
export const PausedTasks = Schema.Struct({ tasks: Tasks }).annotate({
  identifier: "PausedTasks",
  description: "The tasks that workers must not start; an empty list resumes all.",
  examples: [{ tasks: ["Transcribe"] }]
})

const pause = describe(
  "Pause tasks",
  "Replaces the list of paused tasks, for all processes and all workspaces. Within ten " +
    "seconds, workers stop beginning paused tasks; running attempts continue. Jobs are still " +
    "accepted, but wait."
).put("pause", "/v1/work/paused", {
  payload: PausedTasks,
  success: Schema.Struct({ data: PausedTasks }),
  error: pickErrors(WorkspaceErrors, 400, 429)
})

const queueHistory = describe(
  "Read the history of pending work over the last day",
  "The answer covers all processes and all workspaces. The process that answers has taken a " +
    "sample once a minute since it started; samples are missing for minutes in which the store " +
    "did not answer."
).get("queueHistory", "/v1/work/history", {
  success: QueueHistoryAnswer,
  error: [WorkspaceErrors[429]]
})

export const WorkApi = makeGroup("work", {
  title: "Work",
  description: "Workers, pending work and jobs of all workspaces. Needs an operator key."
})
  .add(survey, jobs, retry, redeliver, remove, act, pause, queueHistory)
  .middleware(OperatorAuthentication)

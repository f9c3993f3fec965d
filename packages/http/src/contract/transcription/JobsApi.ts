/**
 * Defines the job operations: list, read, play, show history, delete, redeliver and retry, for one
 * job or for many.
 */

import * as Jobs from "@verbatim/core/job"
import { JobView, LegacyStatus, limitDefault, limitMax, searchLengthMax } from "@verbatim/core/job"
import * as Rendering from "@verbatim/core/rendering"
import { Rule, timePattern } from "@verbatim/core/schema"
import { callbackIdBytesMax, PeaksView } from "@verbatim/core/transcription"
import { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Record, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { TranscriptionAuthentication } from "../Authentication.ts"
import {
  makeTranscriptionError,
  pickErrors,
  type TranscriptionError,
  TranscriptionErrors
} from "../Errors.ts"
import { makeGroup } from "../Operation.ts"
import {
  countField,
  makeHeader,
  makePathParameter,
  makeRawParameter,
  orNull,
  type RawParameter,
  textField,
  toOneText,
  uuid
} from "../Parameters.ts"
import * as examples from "./Examples.ts"
import { explain } from "./Examples.ts"

/** The id of a job in the path. The service validates it. */
export const jobParameters = {
  id: makePathParameter({ format: "uuid", description: "The id of the job." })
}

const header = (description: string) => makeHeader({ description })

const rangeHeaders = {
  range: header("One byte range, such as `bytes=0-1023`; answered with 206 or 416."),
  "if-range": header("The `ETag` of the cached part; if it differs, the whole recording is sent."),
  "if-none-match": header(
    "The `ETag` of the cached recording; if it is current, the answer is 304."
  )
}

/** Example peaks, which show a tone that becomes louder. */
const peaksExample = {
  duration: 0.08,
  interval: 0.02,
  peaks: [-8, 8, -21, 22, -60, 58, -97, 96]
}

const absentPeaks = {
  404: {
    unknown: "Request not found",
    missing: "No peaks are stored for this job"
  }
}

export const Job = JobView.annotate({
  identifier: "Job",
  description: "The status of a job; fields that do not apply are omitted."
})

const JobDetails = Jobs.JobDetails.annotate({
  identifier: "JobDetails",
  description: "The details of a job; fields that do not apply are omitted."
})

const JobPage = Schema.Struct({
  data: Schema.Array(Jobs.ListedJob.annotate({ identifier: "ListedJob" })),
  next_cursor: orNull(Schema.String, "The `cursor` for the next page; null on the last page.")
}).annotate({ identifier: "JobPage", description: "A page of jobs, newest first." })

const JobHistory = Jobs.JobHistory.annotate({
  identifier: "JobHistory",
  description: "Events and webhook requests, oldest first."
})

const Peaks = PeaksView.annotate({
  identifier: "Peaks",
  description: "The volume of a recording over time, in at most 1,000 pairs."
})

export const ParagraphJson = Rendering.ParagraphJson.annotate({
  identifier: "ParagraphJson",
  description: "Paragraphs by speaker, with their sentences."
})

export const PlainJson = Rendering.PlainJson.annotate({
  identifier: "PlainJson",
  description: "The text in one piece, without speakers and timestamps."
})

export const WordJson = Rendering.WordJson.annotate({
  identifier: "WordJson",
  description: "Word by word; `estimated` timestamps are not from the engine."
})

/** Matches a timestamp, or an empty string, which counts as omitted. */
const anyTime = `^$|${timePattern}`

/** Matches the id of a workspace, or an empty string, which counts as omitted. */
const anyWorkspaceId = `^$|${Schema.toJsonSchemaDocument(WorkspaceId).schema.pattern}`

/** The schemas of the list's parameters. */
const { q, ...filters } = {
  status: {
    enum: LegacyStatus.literals,
    description: "Only jobs with this `status`."
  },
  cause: {
    enum: Jobs.ListedFailure.literals,
    description:
      "Only jobs with this cause of failure. If several parts of a job failed, its cause is that " +
      "of the transcription or, if the transcription succeeded, that of the webhook with results."
  },
  callback_id: {
    maxLength: callbackIdBytesMax,
    description: "Only jobs with this `callback_id`."
  },
  created_after: {
    pattern: anyTime,
    description: "Only jobs accepted at or after this time: a day in UTC, or a timestamp."
  },
  created_before: {
    pattern: anyTime,
    description: "Only jobs accepted before this time: a day in UTC, or a timestamp."
  },
  q: {
    maxLength: searchLengthMax,
    description:
      "Only jobs whose transcript, with its corrections, contains all these words. Case and " +
      "accents do not matter."
  },
  cursor: {
    format: "uuid",
    description: "The `next_cursor` of the previous page; its job may have been deleted since."
  },
  limit: {
    type: "integer",
    minimum: 1,
    maximum: limitMax,
    default: limitDefault,
    description: "Maximum number of jobs in the answer."
  }
}

/** The schemas of an operator's list, which does not search transcripts. */
const operatorFilters = {
  workspace_id: {
    format: "uuid",
    pattern: anyWorkspaceId,
    description: "Only jobs from this workspace."
  },
  ...filters
}

/** Query parameters of an operator's job list. */
export const operatorQuery = Record.map(operatorFilters, makeRawParameter)

/** Creates a query parameter of an action, which refuses an empty value. */
const makeFilledParameter = (shape: Readonly<Record<string, unknown>>) =>
  makeRawParameter("type" in shape ? shape : { ...shape, minLength: 1 })

/** Query parameters of an operator's action on many jobs. */
export const operatorActionQuery = Record.map(operatorFilters, makeFilledParameter)

const list = explain({
  summary: "List jobs, newest first",
  description:
    "The list contains no transcripts. `next_cursor` is the cursor of the next page, and null " +
    "on the last page.",
  json: { page: examples.page },
  refusals: examples.lists
}).get("list", "/v1/transcriptions", {
  query: Record.map({ q, ...filters }, makeRawParameter),
  success: JobPage,
  error: pickErrors(TranscriptionErrors, 400, 403, 500)
})

/** Reads the filters and the position that all job lists have in common. */
export const readFilters = (
  sent: {
    readonly [Name in keyof typeof filters]?: RawParameter
  }
): Omit<Jobs.JobListParameters, "q"> => ({
  status: toOneText(sent.status),
  cause: toOneText(sent.cause),
  callbackId: toOneText(sent.callback_id),
  createdAfter: toOneText(sent.created_after),
  createdBefore: toOneText(sent.created_before),
  cursor: toOneText(sent.cursor),
  limit: toOneText(sent.limit)
})

/** Errors of operations on one job. */
const jobErrors = pickErrors(TranscriptionErrors, 403, 404, 500)

const partial = makeRawParameter({
  enum: ["true", "false"],
  default: "false",
  description: "Whether to return the text recognised so far while there is no transcript."
})

/** Reads `partial`, which is false if the parameter is omitted. */
export const readPartial = (
  given: RawParameter | undefined
): Effect.Effect<boolean, TranscriptionError<400>> =>
  given === undefined || given === "true" || given === "false"
    ? Effect.succeed(given === "true")
    : Effect.fail(makeTranscriptionError(400, examples.partialReads[400].partial))

const get = explain({
  summary: "Read the details of a job",
  description:
    "Returns the status, as in `GET /v1/status/{id}`, with the time of acceptance, the request " +
    "and its results; the transcript comes last. With `partial=true`, the text recognised so " +
    "far is in `partial_output` until there is a transcript.",
  json: { delivered: examples.details, running: examples.partialDetails },
  refusals: examples.partialReads,
  meanings: { 200: "The job.", 400: "`partial` is invalid." }
}).get("get", "/v1/transcriptions/:id", {
  params: jobParameters,
  query: { partial },
  success: JobDetails,
  error: [TranscriptionErrors[400], ...jobErrors]
})

/** The status that a job must have to be deleted. */
export const removalQuery = {
  if_status: makeRawParameter({
    enum: Jobs.RequiredStatus.literals,
    description:
      "`UNTRANSCRIBED` deletes the job only if its transcription has not ended (`status` " +
      "ACCEPTED, IN_QUEUE or IN_PROGRESS), so it never deletes a transcript. `ENDED` " +
      "deletes it only if its transcription has ended, so it never stops a job that runs again."
  })
}

const remove = explain({
  summary: "Delete or cancel a job",
  description:
    "Deletes the job with its results, history and media. Running work is stopped. No webhook " +
    "request begins after the deletion; a request that has already begun can still arrive, " +
    "within 30 seconds of its start. Charges are not refunded.",
  refusals: examples.removals,
  meanings: {
    204: "The job was deleted.",
    400: "`if_status` is invalid.",
    409: "The job does not have the required status, so it was not deleted."
  }
}).delete("remove", "/v1/transcriptions/:id", {
  params: jobParameters,
  query: removalQuery,
  success: HttpApiSchema.NoContent,
  error: [TranscriptionErrors[400], ...jobErrors, TranscriptionErrors[409]]
})

const media = explain({
  summary: "Play the recording of a job while it is stored",
  description:
    "Returns the recording unchanged, with its content type. Supports one `Range` with " +
    "`If-Range`: the answer is 206, or 416 if the recording has no such bytes. If " +
    "`If-None-Match` contains the recording's `ETag`, the answer is 304. A recording is stored " +
    "while its job waits or runs, for seven days after a failure, and after success if the " +
    "operator keeps media.",
  texts: { "application/octet-stream": { recording: "(the bytes of meeting.mp3)" } },
  refusals: examples.recordings,
  meanings: {
    200: "The bytes of the recording.",
    409: "The recording is not stored yet, or no longer stored."
  }
}).get("media", "/v1/transcriptions/:id/media", {
  params: jobParameters,
  headers: rangeHeaders,
  success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
  error: [...jobErrors, TranscriptionErrors[409]]
})

const peaks = explain({
  summary: "Read the volume of a recording over time",
  description:
    "Returns the values of a waveform: a few kB, however long the recording is. They are " +
    "computed during recognition, and stored as long as the transcript.",
  json: { tone: peaksExample },
  refusals: absentPeaks,
  meanings: {
    200: "The peaks.",
    404: "The job does not exist, has no transcript, or was transcribed before peaks were stored."
  }
}).get("peaks", "/v1/transcriptions/:id/peaks", {
  params: jobParameters,
  success: Peaks,
  error: jobErrors
})

const history = explain({
  summary: "Read the history of a job",
  description:
    "Returns every event with its time, the oldest first, and every webhook request with its " +
    "status code and duration.",
  json: { delivered: examples.history }
}).get("history", "/v1/transcriptions/:id/history", {
  params: jobParameters,
  success: JobHistory,
  error: jobErrors
})

/** Errors of redelivery and retry. */
const runErrors = pickErrors(TranscriptionErrors, 403, 404, 409, 500)

const redeliver = explain({
  summary: "Redeliver the webhook",
  description:
    "Starts a new delivery of up to three attempts, with a new `webhook-id`. The job must have " +
    "a `callback_url` and no pending work. A job's webhook can be redelivered at most once a " +
    "minute.",
  json: { pending: examples.jobs.redelivered },
  refusals: examples.redeliveries,
  meanings: {
    200: "The job, with its webhook pending again.",
    400: "The job has no `callback_url`.",
    409:
      "The webhook is still pending, a redelivery was requested less than a minute ago, or the " +
      "results are no longer stored."
  }
}).post("redeliver", "/v1/transcriptions/:id/webhook", {
  params: jobParameters,
  success: Job,
  error: [TranscriptionErrors[400], ...runErrors]
})

const retry = explain({
  summary: "Retry a failed job",
  description:
    "The job keeps its id and continues where it failed, including its summary and webhook. " +
    "If only the summary failed, it is recreated from the stored transcript. The file stays " +
    "stored for seven days after the failure, unless the operator configured otherwise. A job " +
    "is charged once, when its transcript is stored.",
  json: { queued: examples.jobs.retried },
  refusals: examples.retries,
  meanings: {
    200: "The job, whose transcription or summary waits in the queue again.",
    409:
      "Neither the transcription nor its summary has failed, the webhook is still pending, or " +
      "the file or the results are no longer stored."
  }
}).post("retry", "/v1/transcriptions/:id/retry", {
  params: jobParameters,
  success: Job,
  error: runErrors
})

/** An action on many jobs, and optionally the ids of these jobs. */
export const JobAction = Schema.Struct({
  action: Schema.Literals(["retry", "redeliver", "cancel", "delete"]).annotate({
    description:
      "`retry` and `redeliver` do the same as the operations on one job. `cancel` deletes a job " +
      "only if its transcription has not ended, and `delete` only if it has."
  }),
  ids: Schema.optionalKey(
    Schema.Array(
      Schema.String.check(Schema.isUUID(undefined, { message: "must be a UUID" }))
    ).check(Rule.someItems("id"), Rule.itemsAtMost(limitMax, "ids"))
  ).annotate({ description: "The jobs, instead of a filter in the query." })
}).annotate({
  identifier: "JobAction",
  description: "The action, and the jobs if the query has no filter.",
  examples: Object.values(examples.actionRequests)
})

/** The result of an action on many jobs. */
export const JobActionResult = Schema.Struct({
  done: countField("Number of jobs for which the action succeeded."),
  refused: Schema.Array(
    Schema.Struct({
      status: countField("The status code of the operation on one job."),
      detail: textField("The message of the operation on one job."),
      ids: Schema.Array(uuid)
    })
  ).annotate({ description: "The refused jobs, which are unchanged, by reason." }),
  next_cursor: orNull(uuid, "The `cursor` for the next jobs; null if there are no more.")
}).annotate({
  identifier: "JobActionResult",
  description: "The result for one page of jobs.",
  examples: [examples.actionResult]
})

/** The description that actions on many jobs share. */
export const actionRules = [
  "Acts on one page of the list with the same query, each job on its own; repeat the call with",
  "`next_cursor` until it is null. Jobs that are submitted later come before the cursor, so they",
  "stay unchanged. The query needs a filter, and a parameter that is empty or unknown is refused.",
  "If the body has `ids`, the query can only have a `cursor`. After a lost response, repeat the",
  "call: a job that was already retried or deleted stays unchanged, and a webhook is redelivered",
  "at most once a minute."
].join(" ")

const act = explain({
  summary: "Retry, redeliver, cancel or delete many jobs",
  description: [actionRules, "Without `ids`, the key also needs `transcriptions:read`."].join(" "),
  requests: { "application/json": examples.actionRequests },
  json: { page: examples.actionResult },
  refusals: examples.actions,
  meanings: { 200: "The action was attempted for these jobs; some may have refused it." }
}).post("act", "/v1/transcriptions/actions", {
  query: Record.map({ q, ...filters }, makeFilledParameter),
  payload: JobAction,
  success: JobActionResult,
  error: pickErrors(TranscriptionErrors, 400, 403, 500)
})

export const JobsApi = makeGroup("jobs", {
  title: "Transcription jobs",
  description: "List, inspect, redeliver, retry and delete jobs.",
  resource: "transcriptions"
})
  .add(list, get, media, peaks, remove, history, redeliver, retry, act)
  .middleware(TranscriptionAuthentication)

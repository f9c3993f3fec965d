/**
 * The operations on jobs, as values: list, read, play, history, delete, deliver again, retry.
 */

import * as History from "@verbatim/core/job"
import * as Listing from "@verbatim/core/job"
import { JobView, LegacyStatus, limitDefault, limitMax } from "@verbatim/core/job"
import {
  ParagraphRendering as Paragraphs,
  PlainRendering as Plain,
  WordRendering as Words
} from "@verbatim/core/rendering"
import { timePattern } from "@verbatim/core/schema"
import { callbackIdBytesMax, PeaksView } from "@verbatim/core/transcription"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Resource, TranscriptionAuthentication } from "../Authentication.ts"
import { TranscriptionErrors } from "../Errors.ts"
import { pickErrors } from "../Operation.ts"
import { makeRawParameter } from "../Parameters.ts"
import * as refusals from "./Examples.ts"
import * as examples from "./Examples.ts"
import { explain } from "./Examples.ts"

/** The id of a job. The service judges it. */
export const jobParameters = {
  id: Schema.String.annotate({
    "x-schema": { type: "string", format: "uuid", description: "The id of the job." }
  })
}

const header = (description: string) =>
  Schema.optionalKey(Schema.String.annotate({ "x-schema": { type: "string", description } }))

/** All of them. */
const rangeHeaders = {
  range: header(
    "One range of bytes, such as `bytes=0-1023`: it is answered with 206, or with 416."
  ),
  "if-range": header("The `ETag` of what the caller has of it: of another one, all is sent."),
  "if-none-match": header("The `ETag` of what the caller has: where it is still so, 304.")
}

/** A tone that grows. */
const peaksExample = {
  duration: 0.08,
  interval: 0.02,
  peaks: [-8, 8, -21, 22, -60, 58, -97, 96]
}

/** Why there are none. */
const absentPeaks = {
  404: {
    unknown: "Request not found",
    missing: "No peaks are stored for this job"
  }
}

/** The status of a job. */
export const Job = JobView.annotate({
  identifier: "Job",
  description: "The status of a job; a field that does not apply is left out."
})

/** A job with all that is known of it. */
const JobDetails = Listing.JobDetails.annotate({
  identifier: "JobDetails",
  description: "A job with all that is known of it; a field that does not apply is left out."
})

/** A page of jobs. */
const JobPage = Schema.Struct({
  data: Schema.Array(Listing.ListedJob.annotate({ identifier: "ListedJob" })),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "The `cursor` of the next page; null on the last one."
  })
}).annotate({ identifier: "JobPage", description: "The jobs of the page, newest first." })

/** The history of a job. */
const JobHistory = History.JobHistory.annotate({
  identifier: "JobHistory",
  description: "Events and webhook requests, oldest first."
})

/** How loud a recording is over its time. */
const Peaks = PeaksView.annotate({
  identifier: "Peaks",
  description: "How loud a recording is over its time, in at most 1,000 pairs."
})

/** The body of `paragraph_json`. */
export const ParagraphJson = Paragraphs.ParagraphJson.annotate({
  identifier: "ParagraphJson",
  description: "Paragraphs by speaker, with their sentences."
})

/** The body of `plain_json`. */
export const PlainJson = Plain.PlainJson.annotate({
  identifier: "PlainJson",
  description: "The text in one piece, without speakers and times."
})

/** The body of `word_json`. */
export const WordJson = Words.WordJson.annotate({
  identifier: "WordJson",
  description: "Word by word; `estimated` times were not given by the engine."
})

/** An empty value is the same as none. */
const anyTime = `^$|${timePattern}`

const query = {
  status: makeRawParameter({
    type: "string",
    enum: LegacyStatus.literals,
    description: "Only jobs with that `status`."
  }),
  callback_id: makeRawParameter({
    type: "string",
    maxLength: callbackIdBytesMax,
    description: "Only jobs with that `callback_id`."
  }),
  created_after: makeRawParameter({
    type: "string",
    pattern: anyTime,
    description: "Only jobs that were accepted then or later: a day of UTC, or an instant."
  }),
  created_before: makeRawParameter({
    type: "string",
    pattern: anyTime,
    description: "Only jobs that were accepted before: a day of UTC, or an instant."
  }),
  cursor: makeRawParameter({
    type: "string",
    format: "uuid",
    description: "The `next_cursor` of the page before; its job need not exist any more."
  }),
  limit: makeRawParameter({
    type: "integer",
    minimum: 1,
    maximum: limitMax,
    default: limitDefault,
    description: "Most jobs in the answer."
  })
}

const list = HttpApiEndpoint.get("list", "/v1/transcriptions", {
  query,
  success: JobPage,
  error: pickErrors(TranscriptionErrors, 400, 403, 500)
}).annotateMerge(
  explain({
    summary: "List jobs, newest first",
    description:
      "Without transcripts. `next_cursor` leads to the next page; on the last one it is null.",
    json: { page: examples.page },
    refusals: refusals.lists
  })
)

/** Why nothing is told about a job, or done with it. */
const jobErrors = pickErrors(TranscriptionErrors, 403, 404, 500)

const get = HttpApiEndpoint.get("get", "/v1/transcriptions/:id", {
  params: jobParameters,
  success: JobDetails,
  error: jobErrors
}).annotateMerge(
  explain({
    summary: "Read a job with all that is known of it",
    description:
      "The status, as `GET /v1/status/{id}` tells it, with when the job was accepted, what was " +
      "sent and what came of it; the transcript comes last.",
    json: { delivered: examples.details },
    meanings: { 200: "The job." }
  })
)

const remove = HttpApiEndpoint.delete("remove", "/v1/transcriptions/:id", {
  params: jobParameters,
  success: HttpApiSchema.NoContent,
  error: jobErrors
}).annotateMerge(
  explain({
    summary: "Delete a job, or cancel it",
    description:
      "Removes the job, its results, its history and its media. Work under way is stopped. No " +
      "webhook begins afterwards; a request that had begun before may still arrive, within 30 " +
      "seconds of its start. What was charged stays charged.",
    meanings: { 204: "The job is gone." }
  })
)

const media = HttpApiEndpoint.get("media", "/v1/transcriptions/:id/media", {
  params: jobParameters,
  headers: rangeHeaders,
  success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
  error: [...jobErrors, TranscriptionErrors[409]]
}).annotateMerge(
  explain({
    summary: "Play the recording of a job, while it is kept",
    description:
      "As it was sent, with its content type. Takes one `Range` with `If-Range`, and answers " +
      "it with 206, or with 416 where the recording has no such bytes; 304 where " +
      "`If-None-Match` has its `ETag`. A recording is there while its job waits or runs, for " +
      "seven days after it failed, and after it succeeded where the operator keeps media.",
    texts: { "application/octet-stream": { recording: "(the bytes of meeting.mp3)" } },
    refusals: refusals.recordings,
    meanings: {
      200: "The bytes of the recording.",
      409: "The recording is not stored yet, or no longer."
    }
  })
)

const peaks = HttpApiEndpoint.get("peaks", "/v1/transcriptions/:id/peaks", {
  params: jobParameters,
  success: Peaks,
  error: jobErrors
}).annotateMerge(
  explain({
    summary: "Read how loud a recording is over its time",
    description:
      "For whoever draws it: a few kB, however long the recording is. Made when it was " +
      "recognised, and stored for as long as its transcript.",
    json: { tone: peaksExample },
    refusals: absentPeaks,
    meanings: {
      200: "The peaks.",
      404:
        "There is no such job, or no transcript of it, or the transcript was made before peaks " +
        "were stored."
    }
  })
)

const history = HttpApiEndpoint.get("history", "/v1/transcriptions/:id/history", {
  params: jobParameters,
  success: JobHistory,
  error: jobErrors
}).annotateMerge(
  explain({
    summary: "Read what happened to a job",
    description:
      "Every event with its instant, oldest first, and every webhook request with the status " +
      "code of its receiver and its duration.",
    json: { delivered: examples.history }
  })
)

/** Why a job is not set to work once more. */
const runErrors = pickErrors(TranscriptionErrors, 403, 404, 409, 500)

const redeliver = HttpApiEndpoint.post("redeliver", "/v1/transcriptions/:id/webhook", {
  params: jobParameters,
  success: Job,
  error: [TranscriptionErrors[400], ...runErrors]
}).annotateMerge(
  explain({
    summary: "Deliver the webhook again",
    description:
      "A new delivery of up to three attempts, with a new `webhook-id`. The job must have a " +
      "`callback_url` and nothing pending. At most once a minute for each job.",
    json: { pending: examples.jobs.redelivered },
    refusals: refusals.redeliveries,
    meanings: {
      200: "The job, with its webhook pending again.",
      400: "The job has no `callback_url`.",
      409:
        "The webhook is still pending, or was requested again less than a minute ago, or the " +
        "results are no longer stored."
    }
  })
)

const retry = HttpApiEndpoint.post("retry", "/v1/transcriptions/:id/retry", {
  params: jobParameters,
  success: Job,
  error: runErrors
}).annotateMerge(
  explain({
    summary: "Run a failed job again",
    description:
      "Under its id, from where it failed, with its summary and its webhook. Its file stays " +
      "stored for seven days after the failure, unless the operator decided otherwise. A job " +
      "is charged once, when it succeeds.",
    json: { queued: examples.jobs.retried },
    refusals: refusals.retries,
    meanings: {
      200: "The job, waiting again.",
      409: "It has not failed, its error report is still pending, or its file is gone."
    }
  })
)

/** Operations on jobs. */
export const JobsApi = HttpApiGroup.make("jobs")
  .add(list, get, media, peaks, remove, history, redeliver, retry)
  .middleware(TranscriptionAuthentication)
  .annotate(Resource, "transcriptions")
  .annotateMerge(
    OpenApi.annotations({
      title: "Transcription jobs",
      description: "List jobs, look into them, deliver again, retry, delete."
    })
  )

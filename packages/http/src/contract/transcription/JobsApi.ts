/**
 * The operations on jobs, as values: list, history, delete, deliver again, retry.
 */
import { LegacyStatus, limitDefault, limitMax } from "@verbatim/core/job"
import { timePattern } from "@verbatim/core/schema"
import { callbackIdBytesMax } from "@verbatim/core/transcription"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Resource, TranscriptionAuthentication } from "../Authentication.ts"
import { TranscriptionErrors } from "../ErrorBody.ts"
import { makeLate } from "../LateParameters.ts"
import { describe } from "../OperationDescription.ts"
import { showExamples } from "../OperationExamples.ts"
import { jobParameters } from "./JobParameters.ts"
import * as peakExamples from "./PeakExamples.ts"
import * as refusals from "./RefusalExamples.ts"
import { stretchHeaders } from "./StretchHeaders.ts"
import { Job, JobDetails, JobHistory, JobPage, Peaks } from "./TranscriptionAnswers.ts"
import * as examples from "./TranscriptionExamples.ts"

const inJson = "application/json"

/** An empty value is the same as none. */
const anyTime = `^$|${timePattern}`

const query = {
  status: makeLate({
    type: "string",
    enum: LegacyStatus.literals,
    description: "Only jobs with that `status`."
  }),
  callback_id: makeLate({
    type: "string",
    maxLength: callbackIdBytesMax,
    description: "Only jobs with that `callback_id`."
  }),
  created_after: makeLate({
    type: "string",
    pattern: anyTime,
    description: "Only jobs that were accepted then or later: a day of UTC, or an instant."
  }),
  created_before: makeLate({
    type: "string",
    pattern: anyTime,
    description: "Only jobs that were accepted before: a day of UTC, or an instant."
  }),
  cursor: makeLate({
    type: "string",
    format: "uuid",
    description: "The `next_cursor` of the page before; its job need not exist any more."
  }),
  limit: makeLate({
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
  error: [TranscriptionErrors[400], TranscriptionErrors[403], TranscriptionErrors[500]]
})
  .annotateMerge(
    describe(
      "List jobs, newest first",
      "Without transcripts. `next_cursor` leads to the next page; on the last one it is null."
    )
  )
  .annotateMerge(
    showExamples({
      answers: { 200: { [inJson]: { page: examples.page } }, ...refusals.lists }
    })
  )

/** Why nothing is told about a job, or done with it. */
const jobErrors = [
  TranscriptionErrors[403],
  TranscriptionErrors[404],
  TranscriptionErrors[500]
] as const

const get = HttpApiEndpoint.get("get", "/v1/transcriptions/:id", {
  params: jobParameters,
  success: JobDetails,
  error: jobErrors
})
  .annotateMerge(
    describe(
      "Read a job with all that is known of it",
      "The status, as `GET /v1/status/{id}` tells it, with when the job was accepted, what was",
      "sent and what came of it; the transcript comes last."
    )
  )
  .annotateMerge(
    showExamples({
      answers: {
        200: { [inJson]: { delivered: examples.details } },
        ...refusals.always,
        ...refusals.unknown
      },
      meanings: { 200: "The job." }
    })
  )

const remove = HttpApiEndpoint.delete("remove", "/v1/transcriptions/:id", {
  params: jobParameters,
  success: HttpApiSchema.NoContent,
  error: jobErrors
})
  .annotateMerge(
    describe(
      "Delete a job, or cancel it",
      "Removes the job, its results, its history and its media. Work under way is stopped. No",
      "webhook begins afterwards; a request that had begun before may still arrive, within 30",
      "seconds of its start. What was charged stays charged."
    )
  )
  .annotateMerge(
    showExamples({
      answers: { ...refusals.always, ...refusals.unknown },
      meanings: { 204: "The job is gone." }
    })
  )

const media = HttpApiEndpoint.get("media", "/v1/transcriptions/:id/media", {
  params: jobParameters,
  headers: stretchHeaders,
  success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
  error: [...jobErrors, TranscriptionErrors[409]]
})
  .annotateMerge(
    describe(
      "Play the recording of a job, while it is kept",
      "As it was sent, with its content type. Takes one `Range` with `If-Range`, and answers it",
      "with 206, or with 416 where the recording has no such bytes; 304 where `If-None-Match` has",
      "its `ETag`. A recording is there while its job waits or runs, for seven days after it",
      "failed, and after it succeeded where the operator keeps media."
    )
  )
  .annotateMerge(
    showExamples({
      answers: {
        200: { "application/octet-stream": { recording: "(the bytes of meeting.mp3)" } },
        ...refusals.always,
        ...refusals.unknown,
        ...refusals.recordings
      },
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
})
  .annotateMerge(
    describe(
      "Read how loud a recording is over its time",
      "For whoever draws it: a few kB, however long the recording is. Made when it was",
      "recognised, and stored for as long as its transcript."
    )
  )
  .annotateMerge(
    showExamples({
      answers: {
        200: { [inJson]: { tone: peakExamples.peaks } },
        ...refusals.always,
        ...peakExamples.absent
      },
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
})
  .annotateMerge(
    describe(
      "Read what happened to a job",
      "Every event with its instant, oldest first, and every webhook request with the status",
      "code of its receiver and its duration."
    )
  )
  .annotateMerge(
    showExamples({
      answers: {
        200: { [inJson]: { delivered: examples.history } },
        ...refusals.always,
        ...refusals.unknown
      }
    })
  )

/** Why a job is not set to work once more. */
const runErrors = [
  TranscriptionErrors[403],
  TranscriptionErrors[404],
  TranscriptionErrors[409],
  TranscriptionErrors[500]
] as const

const redeliver = HttpApiEndpoint.post("redeliver", "/v1/transcriptions/:id/webhook", {
  params: jobParameters,
  success: Job,
  error: [TranscriptionErrors[400], ...runErrors]
})
  .annotateMerge(
    describe(
      "Deliver the webhook again",
      "A new delivery of up to three attempts, with a new `webhook-id`. The job must have a",
      "`callback_url` and nothing pending. At most once a minute for each job."
    )
  )
  .annotateMerge(
    showExamples({
      answers: {
        200: { [inJson]: { pending: examples.jobs.redelivered } },
        ...refusals.redeliveries
      },
      meanings: {
        200: "The job, with its webhook pending again.",
        400: "The job has no `callback_url`.",
        409:
          "The webhook is still pending, or was asked for again less than a minute ago, or the " +
          "results are no longer stored."
      }
    })
  )

const retry = HttpApiEndpoint.post("retry", "/v1/transcriptions/:id/retry", {
  params: jobParameters,
  success: Job,
  error: runErrors
})
  .annotateMerge(
    describe(
      "Run a failed job again",
      "Under its id, from where it failed, with its summary and its webhook. Its file stays",
      "stored for seven days after the failure, unless the operator decided otherwise. A job",
      "is charged once, when it succeeds."
    )
  )
  .annotateMerge(
    showExamples({
      answers: { 200: { [inJson]: { queued: examples.jobs.retried } }, ...refusals.retries },
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

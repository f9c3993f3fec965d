/**
 * The transcription operations as values: paths, parameters, answers and errors.
 */
import { Modifier } from "@verbatim/core/transcription"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Resource, TranscriptionAuthentication } from "../Authentication.ts"
import { TranscriptionErrors } from "../ErrorBody.ts"
import { makeIdempotencyHeader } from "../IdempotencyHeader.ts"
import { makeLate } from "../LateParameters.ts"
import { showExamples } from "../OperationExamples.ts"
import { waits } from "./EventExamples.ts"
import { jobParameters } from "./JobParameters.ts"
import * as refusals from "./RefusalExamples.ts"
import { Job, ParagraphJson, PlainJson, WordJson } from "./TranscriptionAnswers.ts"
import { InForm, InJson, InMultipart } from "./TranscriptionBodies.ts"
import * as examples from "./TranscriptionExamples.ts"
import { waitSecondsMax } from "./Waiting.ts"

const inJson = "application/json"
const { jobs, requests, showRendering } = examples

const create = HttpApiEndpoint.post("create", "/v1/transcribe", {
  headers: {
    "idempotency-key": makeIdempotencyHeader(
      "The same key with the same request, within 24 hours, is answered with the same job; with " +
        "another one, with 409."
    )
  },
  payload: [InMultipart, InJson, InForm],
  success: Job,
  error: [
    TranscriptionErrors[400],
    TranscriptionErrors[403],
    TranscriptionErrors[409],
    TranscriptionErrors[413],
    TranscriptionErrors[415],
    TranscriptionErrors[429],
    TranscriptionErrors[500]
  ]
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Have a file or a URL transcribed",
      description:
        "Takes `file` in a multipart form, or `url` in any encoding. Needs a balance of more " +
        "than 60 minutes. Of several mistakes the first is told: key, balance, body, parameters " +
        "in the order of the examples, extension, size, reachability of the URL."
    })
  )
  .annotateMerge(
    showExamples({
      request: {
        "multipart/form-data": requests.multipart,
        [inJson]: requests.json,
        "application/x-www-form-urlencoded": requests.form
      },
      answers: { 200: { [inJson]: { accepted: jobs.accepted } }, ...refusals.creation },
      meanings: {
        200: "The job.",
        403:
          "The key is missing, malformed or not known, or lacks the scope, its workspace is " +
          "disabled, or the balance is too low.",
        409: "The idempotency key stands for another request, or for a job that was deleted.",
        429:
          "Too many requests of the key are under way, or checks of URLs of its workspace; or " +
          "workspace or key have as many requests in a second, unfinished jobs, or minutes of " +
          "today as they may. " +
          "`Retry-After` says in how many seconds to come again."
      }
    })
  )

const wait = makeLate({
  type: "integer",
  minimum: 0,
  maximum: waitSecondsMax,
  default: 0,
  description:
    "How many seconds the answer may wait for the status to change. A finished job is answered " +
    "at once."
})

const status = HttpApiEndpoint.get("status", "/v1/status/:id", {
  params: jobParameters,
  query: { wait },
  success: Job,
  error: [
    TranscriptionErrors[400],
    TranscriptionErrors[404],
    TranscriptionErrors[429],
    TranscriptionErrors[500],
    TranscriptionErrors[503]
  ]
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the status of a job, with its transcript when it is there",
      description:
        "`ACCEPTED` until the media is stored, `IN_QUEUE`, `IN_PROGRESS`, then `COMPLETED`, or " +
        "`TRANSCRIBED` when there is a `callback_url`, or `FAILED` with an `error`."
    })
  )
  .annotateMerge(
    showExamples({
      answers: {
        200: {
          [inJson]: {
            inProgress: jobs.inProgress,
            completed: jobs.completed,
            delivered: jobs.delivered,
            failed: jobs.failed
          }
        },
        ...refusals.always,
        ...refusals.unknown,
        ...waits
      },
      meanings: {
        200: "The job.",
        429: "As many wait or listen as may. `Retry-After` says in how many seconds to come again.",
        503: "As many wait or listen at this process as may: another one may have room."
      }
    })
  )

const makeTextAnswer = (contentType: string) =>
  Schema.String.pipe(HttpApiSchema.asText({ contentType }))

const result = HttpApiEndpoint.get("result", "/v1/status/:id/:modifier", {
  params: {
    ...jobParameters,
    modifier: Schema.String.annotate({
      "x-schema": {
        type: "string",
        enum: Modifier.literals,
        description: "The form of the transcript."
      }
    })
  },
  success: [
    // A client takes the first schema that fits, so the one with the fewest fields comes last.
    Schema.Union([Job, ParagraphJson, WordJson, PlainJson]),
    makeTextAnswer("text/plain; charset=utf-8"),
    makeTextAnswer("application/x-subrip; charset=utf-8"),
    makeTextAnswer("text/vtt; charset=utf-8")
  ],
  error: [
    TranscriptionErrors[400],
    TranscriptionErrors[404],
    TranscriptionErrors[410],
    TranscriptionErrors[429],
    TranscriptionErrors[500]
  ]
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the transcript of a job in another form",
      description: "While the transcript is not there yet, the answer is the status of the job."
    })
  )
  .annotateMerge(
    showExamples({
      answers: {
        200: {
          [inJson]: {
            paragraph_json: showRendering("paragraph_json"),
            plain_json: showRendering("plain_json"),
            word_json: showRendering("word_json"),
            inProgress: jobs.inProgress
          },
          "text/plain; charset=utf-8": {
            paragraph_text: showRendering("paragraph_text"),
            plain_text: showRendering("plain_text")
          },
          "application/x-subrip; charset=utf-8": { srt: showRendering("srt") },
          "text/vtt; charset=utf-8": { vtt: showRendering("vtt") }
        },
        ...refusals.renderings
      },
      meanings: {
        200: "The transcript in that form, or the status of a job under way.",
        400: "There is no such form.",
        410: "The time is over for which the workspace keeps transcripts.",
        429:
          "Too many requests of the key are under way, or its workspace reads as many renderings " +
          "of long recordings as it may. `Retry-After` says in how many seconds to come again.",
        500: "There will be no transcript, or the server failed."
      }
    })
  )

/** Transcription jobs. */
export const TranscriptionApi = HttpApiGroup.make("transcription")
  .add(create, status, result)
  .middleware(TranscriptionAuthentication)
  .annotate(Resource, "transcriptions")
  .annotateMerge(
    OpenApi.annotations({
      title: "Transcription",
      description: "Hand in a recording, and read its status and its transcript."
    })
  )

/**
 * The operations on the corrections of a transcript, as values.
 */
import { versionPageDefault, versionPageMax } from "@verbatim/core/correction"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Resource, TranscriptionAuthentication } from "../../Authentication.ts"
import { TranscriptionErrors } from "../../ErrorBody.ts"
import { makeIdempotencyHeader } from "../../IdempotencyHeader.ts"
import { makeLate } from "../../LateParameters.ts"
import { describe } from "../../OperationDescription.ts"
import { type NamedExamples, showExamples } from "../../OperationExamples.ts"
import { tagsPattern } from "../../preset/PresetHeaders.ts"
import { jobParameters } from "../JobParameters.ts"
import * as refusals from "../RefusalExamples.ts"
import {
  Corrections,
  CorrectionTarget,
  SegmentCorrections,
  SpeakerNames,
  Standing,
  WholeVersion
} from "./CorrectionAnswers.ts"
import * as examples from "./CorrectionExamples.ts"

const headers = {
  "if-match": Schema.optionalKey(
    Schema.String.annotate({
      "x-schema": {
        type: "string",
        pattern: tagsPattern,
        description:
          "Entity tags as answers carry them in `ETag`: the write is made only while one of them " +
          "is the current one. Without it, the write is made on whatever stands then."
      }
    })
  ),
  "idempotency-key": makeIdempotencyHeader(
    "Within 24 hours, the same key and body are answered with what the first request made."
  )
}

const query = {
  before: makeLate({
    type: "integer",
    minimum: 1,
    description: "Only versions with smaller numbers: the `next_before` of the page before."
  }),
  limit: makeLate({
    type: "integer",
    minimum: 1,
    maximum: versionPageMax,
    default: versionPageDefault,
    description: "Most versions in the answer."
  }),
  from_segment: makeLate({
    type: "integer",
    minimum: 0,
    default: 0,
    description: "Only segments from this one on: the `next_segment` of the page before."
  })
}

const readErrors = [
  TranscriptionErrors[400],
  TranscriptionErrors[403],
  TranscriptionErrors[404],
  TranscriptionErrors[409],
  TranscriptionErrors[500]
] as const

const inJson = "application/json"

/** The examples of an operation: its own answer, and every refusal. */
const showAnswers = (answer: NamedExamples, request?: NamedExamples) =>
  showExamples({
    answers: { ...refusals.always, ...examples.refusals, 200: { [inJson]: answer } },
    ...(request === undefined ? {} : { request: { [inJson]: request }, meanings })
  })

const written = { standing: examples.standing }

const meanings = {
  200: "Where the corrections stand then.",
  409:
    "`If-Match` does not hold, there is no transcript to correct, the corrections are full, or " +
    "the idempotency key stands for another request."
}

const nameSpeakers = HttpApiEndpoint.put("nameSpeakers", "/v1/transcriptions/:id/speakers", {
  params: jobParameters,
  headers,
  payload: SpeakerNames,
  success: Standing,
  error: readErrors
})
  .annotateMerge(
    describe(
      "Name the speakers of a transcript",
      "Every form of the transcript, a webhook that is delivered again and a summary that is made",
      "again use the names. Speakers that are not mentioned keep theirs. What was recognised stays",
      "stored as it is."
    )
  )
  .annotateMerge(showAnswers(written, { names: examples.names }))

const correctSegments = HttpApiEndpoint.patch(
  "correctSegments",
  "/v1/transcriptions/:id/segments",
  {
    params: jobParameters,
    headers,
    payload: SegmentCorrections,
    success: Standing,
    error: readErrors
  }
)
  .annotateMerge(
    describe(
      "Correct segments of a transcript",
      "Their text, their speaker, or both. The words of a corrected text have no times of their",
      "own any more: `word_json` shares out the time of the segment, and says `estimated`."
    )
  )
  .annotateMerge(showAnswers(written, { segments: examples.segments }))

const goBack = HttpApiEndpoint.put("goBack", "/v1/transcriptions/:id/corrections/current", {
  params: jobParameters,
  headers,
  payload: CorrectionTarget,
  success: Standing,
  error: readErrors
})
  .annotateMerge(
    describe(
      "Go back to an earlier version of the corrections",
      "Makes a new version that equals it, so nothing that was written is lost."
    )
  )
  .annotateMerge(showAnswers(written, { earlier: examples.target }))

const list = HttpApiEndpoint.get("list", "/v1/transcriptions/:id/corrections", {
  params: jobParameters,
  query,
  success: Corrections,
  error: readErrors
})
  .annotateMerge(
    describe(
      "Read the corrections of a transcript",
      "Everything that is corrected now, and the versions: who made them, when, and how much each",
      "of them changed."
    )
  )
  .annotateMerge(showAnswers({ corrections: examples.corrections }))

const get = HttpApiEndpoint.get("get", "/v1/transcriptions/:id/corrections/:version", {
  params: {
    ...jobParameters,
    version: Schema.String.annotate({
      "x-schema": { type: "integer", minimum: 1, description: "The number of the version." }
    })
  },
  success: WholeVersion,
  error: readErrors
})
  .annotateMerge(
    describe("Read a version of the corrections", "With every segment that it changed.")
  )
  .annotateMerge(showAnswers({ version: examples.version }))

/** Corrections of transcripts. */
export const CorrectionsApi = HttpApiGroup.make("corrections")
  .add(nameSpeakers, correctSegments, list, get, goBack)
  .middleware(TranscriptionAuthentication)
  .annotate(Resource, "transcriptions")
  .annotateMerge(
    OpenApi.annotations({
      title: "Corrections",
      description: "Name speakers, correct segments, go back, see who corrected what."
    })
  )

/**
 * The operations on the corrections of a transcript, as values.
 */

import {
  CorrectionsSummary,
  CorrectionsView,
  CorrectionTarget,
  SegmentCorrections,
  SpeakerNames,
  versionPageDefault,
  versionPageMax,
  WholeVersionView
} from "@verbatim/core/correction"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Resource, TranscriptionAuthentication } from "../Authentication.ts"
import { TranscriptionErrors } from "../Errors.ts"
import { pickErrors } from "../Operation.ts"
import { makeIdempotencyHeader, makeRawParameter } from "../Parameters.ts"
import { tagsPattern } from "../preset/PresetHeaders.ts"
import { explain } from "./Examples.ts"
import { jobParameters } from "./JobsApi.ts"

/** Where the corrections stand. */
const standing = {
  version: 2,
  speakers: { speaker_0: "Ana" },
  segment_count: 1
}

/** Names of speakers. */
const names = { speaker_0: "Ana", speaker_1: null }

/** Corrections of segments. */
const segments = [
  { index: 1, text: "Good morning to both of you." },
  { index: 7, speaker: "speaker_0" }
]

/** The version to go back to. */
const target = { version: 1 }

const made = {
  created_at: "2025-01-02T03:14:05.678Z",
  user_id: "user_018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7e",
  key_id: "018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7f",
  back_to: null
}

const first = { version: 1, ...made, speakers: { speaker_0: "Ana" }, segment_count: 0 }

const second = { version: 2, ...made, speakers: {}, segment_count: 1 }

/** The corrections with their versions. */
const corrections = {
  ...standing,
  segments: [{ index: 1, text: "Good morning to both of you." }],
  next_segment: null,
  versions: [second, first],
  next_before: null
}

/** A version with what it changed. */
const version = {
  ...second,
  segments: [{ index: 1, text: "Good morning to both of you.", speaker: null }]
}

/** The sentences of refusals, beside those of every operation. */
const refusals = {
  400: {
    body: "Invalid request body",
    name: "'speaker_0' must be a string of 1 to 80 characters, or null",
    index: "'segments[0].index' must be below 42, the number of segments",
    text: "'segments[0].text' must be a string of at most 5000 characters, or null",
    limit: "Invalid 'limit' value. Must be an integer from 1 to 100"
  },
  404: {
    unknown: "Request not found",
    version: "The corrections have no version 3"
  },
  409: {
    moved: "If-Match does not hold: the corrections are at version 2",
    pending: "The transcription has no transcript yet",
    failed: "The transcription failed: it has no transcript to correct",
    removed: "The results are no longer stored",
    full: "The corrections would be longer than they may: 200000 characters",
    contended: "Others are correcting this transcript right now. Please try again later.",
    key: "Idempotency-Key was already used with another request"
  }
}

/** The header of every answer that tells where corrections stand. */
const tag = {
  ETag: {
    description: "The number of the last version, in double quotes, for `If-Match`.",
    required: true,
    schema: { type: "string", pattern: '^"[0-9]+"$' }
  }
}

/** Where corrections stand. */
const Standing = CorrectionsSummary.annotate({
  identifier: "CorrectionStanding",
  description: "Where the corrections stand.",
  examples: [standing],
  "x-headers": tag
})

/** Where corrections stand, with their versions. */
const Corrections = CorrectionsView.annotate({
  identifier: "Corrections",
  description: "Where the corrections stand, and the versions that led there.",
  examples: [corrections],
  "x-headers": tag
})

/** One version. */
const WholeVersion = WholeVersionView.annotate({
  identifier: "CorrectionVersion",
  description: "A version of the corrections, with everything that it changed.",
  examples: [version]
})

/** Names of speakers. */
const Names = SpeakerNames.annotate({
  identifier: "SpeakerNames",
  description: "A name for each speaker, by the speaker as recognised. Null takes a name away.",
  examples: [names]
})

/** Corrections of segments. */
const Segments = SegmentCorrections.annotate({
  identifier: "SegmentCorrections",
  description: "What changes of some segments. What is left out stays as it is corrected.",
  examples: [segments]
})

/** The version to go back to. */
const Target = CorrectionTarget.annotate({
  identifier: "CorrectionTarget",
  description: "The version to go back to.",
  examples: [target]
})

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
  before: makeRawParameter({
    type: "integer",
    minimum: 1,
    description: "Only versions with smaller numbers: the `next_before` of the page before."
  }),
  limit: makeRawParameter({
    type: "integer",
    minimum: 1,
    maximum: versionPageMax,
    default: versionPageDefault,
    description: "Most versions in the answer."
  }),
  from_segment: makeRawParameter({
    type: "integer",
    minimum: 0,
    default: 0,
    description: "Only segments from this one on: the `next_segment` of the page before."
  })
}

const errors = pickErrors(TranscriptionErrors, 400, 403, 404, 409, 500)

/** What the operations that write have in common. */
const writing = { params: jobParameters, headers, success: Standing, error: errors } as const

/** What the description shows of a write: its own request, and the same answers. */
const showWrite = (request: Readonly<Record<string, unknown>>) => ({
  requests: { "application/json": request },
  json: { standing },
  refusals,
  meanings: {
    200: "Where the corrections stand then.",
    409:
      "`If-Match` does not hold, there is no transcript to correct, the corrections are full, or " +
      "the idempotency key stands for another request."
  }
})

const nameSpeakers = HttpApiEndpoint.put("nameSpeakers", "/v1/transcriptions/:id/speakers", {
  ...writing,
  payload: Names
}).annotateMerge(
  explain({
    summary: "Name the speakers of a transcript",
    description:
      "Every form of the transcript, a webhook that is delivered again and a summary that is " +
      "made again use the names. Speakers that are not mentioned keep theirs. What was " +
      "recognised stays stored as it is.",
    ...showWrite({ names })
  })
)

const path = "/v1/transcriptions/:id/segments"
const correctSegments = HttpApiEndpoint.patch("correctSegments", path, {
  ...writing,
  payload: Segments
}).annotateMerge(
  explain({
    summary: "Correct segments of a transcript",
    description:
      "Their text, their speaker, or both. The words of a corrected text have no times of their " +
      "own any more: `word_json` shares out the time of the segment, and says `estimated`.",
    ...showWrite({ segments })
  })
)

const goBack = HttpApiEndpoint.put("goBack", "/v1/transcriptions/:id/corrections/current", {
  ...writing,
  payload: Target
}).annotateMerge(
  explain({
    summary: "Go back to an earlier version of the corrections",
    description: "Makes a new version that equals it, so nothing that was written is lost.",
    ...showWrite({ earlier: target })
  })
)

const list = HttpApiEndpoint.get("list", "/v1/transcriptions/:id/corrections", {
  params: jobParameters,
  query,
  success: Corrections,
  error: errors
}).annotateMerge(
  explain({
    summary: "Read the corrections of a transcript",
    description:
      "Everything that is corrected now, and the versions: who made them, when, and how much " +
      "each of them changed.",
    json: { corrections },
    refusals
  })
)

const get = HttpApiEndpoint.get("get", "/v1/transcriptions/:id/corrections/:version", {
  params: {
    ...jobParameters,
    version: Schema.String.annotate({
      "x-schema": { type: "integer", minimum: 1, description: "The number of the version." }
    })
  },
  success: WholeVersion,
  error: errors
}).annotateMerge(
  explain({
    summary: "Read a version of the corrections",
    description: "With every segment that it changed.",
    json: { version },
    refusals
  })
)

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

/** Defines the correction operations. */

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
import { TranscriptionAuthentication } from "../Authentication.ts"
import { pickErrors, TranscriptionErrors } from "../Errors.ts"
import { makeGroup } from "../Operation.ts"
import {
  makeHeader,
  makeIdempotencyHeader,
  makePathParameter,
  makeRawParameter
} from "../Parameters.ts"
import { readConditions, tagsPattern } from "../preset/PresetHeaders.ts"
import { explain } from "./Examples.ts"
import { jobParameters } from "./JobsApi.ts"

const standing = {
  version: 2,
  speakers: { speaker_0: "Ana" },
  segment_count: 1
}

const names = { speaker_0: "Ana", speaker_1: null }

const segments = [
  { index: 1, text: "Good morning to both of you." },
  { index: 7, speaker: "speaker_0" },
  { index: 9, split: { at: 13, speaker: "speaker_1" } },
  { index: 12, join: true }
] as const

const target = { version: 1 }

const made = {
  created_at: "2025-01-02T03:14:05.678Z",
  user_id: "user_018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7e",
  key_id: "018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7f",
  back_to: null
}

const first = { version: 1, ...made, speakers: { speaker_0: "Ana" }, segment_count: 0 }

const second = { version: 2, ...made, speakers: {}, segment_count: 1 }

const corrections = {
  ...standing,
  segments: [{ index: 1, text: "Good morning to both of you." }],
  next_segment: null,
  versions: [second, first],
  next_before: null
}

const version = {
  ...second,
  segments: [{ index: 1, text: "Good morning to both of you.", speaker: null }]
}

/** Example messages of refusals that only corrections have. */
const refusals = {
  400: {
    body: "Invalid request body",
    name: "'speaker_0' must be a string of 1 to 80 characters, or null",
    index: "'segments[0].index' must be below 42, the number of segments",
    text: "'segments[0].text' must be a string of at most 5000 characters, or null",
    split: "'segments[0].split.at' must leave text on both sides",
    match: "'If-Match' is required to split or join segments, and once they are split or joined",
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

/** The entity tag, which every response with corrections has. */
const tag = {
  ETag: {
    description: "The number of the latest version in double quotes, for `If-Match`.",
    required: true,
    schema: { type: "string", pattern: '^"[0-9]+"$' }
  }
}

const Summary = CorrectionsSummary.annotate({
  identifier: "CorrectionStanding",
  description: "The state of the corrections.",
  examples: [standing],
  "x-headers": tag
})

const Corrections = CorrectionsView.annotate({
  identifier: "Corrections",
  description: "The corrections, and the versions that led to them.",
  examples: [corrections],
  "x-headers": tag
})

const WholeVersion = WholeVersionView.annotate({
  identifier: "CorrectionVersion",
  description: "A version of the corrections with all its changes.",
  examples: [version]
})

const Names = SpeakerNames.annotate({
  identifier: "SpeakerNames",
  description: "A name for each speaker, by the speaker's recognised id. Null removes a name.",
  examples: [names]
})

const Segments = SegmentCorrections.annotate({
  identifier: "SegmentCorrections",
  description:
    "Changes to segments, numbered as before the request. Omitted fields keep their " +
    "current correction.",
  examples: [segments]
})

const Target = CorrectionTarget.annotate({
  identifier: "CorrectionTarget",
  description: "The version to restore.",
  examples: [target]
})

const headers = {
  "if-match": makeHeader({
    pattern: tagsPattern,
    description:
      "Entity tags from `ETag`: the write happens only if one of them is the current one. If " +
      "omitted, the write applies to the current version."
  }),
  "idempotency-key": makeIdempotencyHeader(
    "The same key with the same body within 24 hours gets the result of the first request."
  )
}

const query = {
  before: makeRawParameter({
    type: "integer",
    minimum: 1,
    description: "Only versions with smaller numbers: the `next_before` of the previous page."
  }),
  limit: makeRawParameter({
    type: "integer",
    minimum: 1,
    maximum: versionPageMax,
    default: versionPageDefault,
    description: "Maximum number of versions in the answer."
  }),
  from_segment: makeRawParameter({
    type: "integer",
    minimum: 0,
    default: 0,
    description: "Only segments from this index on: the `next_segment` of the previous page."
  })
}

const errors = pickErrors(TranscriptionErrors, 400, 403, 404, 409, 500)

/** Parameters, headers and responses that all writes of corrections share. */
const writing = { params: jobParameters, headers, success: Summary, error: errors } as const

/**
 * Describes a write of corrections: its own example request, and the responses that all writes
 * share.
 */
const showWrite = (request: Readonly<Record<string, unknown>>) => ({
  requests: { "application/json": request },
  json: { standing },
  refusals,
  meanings: {
    200: "The state of the corrections after the write.",
    409:
      "`If-Match` does not match, there is no transcript to correct, the corrections have their " +
      "maximum size, or the idempotency key was used with another request."
  }
})

const nameSpeakers = explain({
  summary: "Name the speakers of a transcript",
  description:
    "All renderings of the transcript, redelivered webhooks and recreated summaries use the " +
    "names. Speakers that are not mentioned keep their names. The recognised transcript is " +
    "stored unchanged.",
  ...showWrite({ names })
}).put("nameSpeakers", "/v1/transcriptions/:id/speakers", {
  ...writing,
  payload: Names
})

const path = "/v1/transcriptions/:id/segments"
const correctSegments = explain({
  summary: "Correct segments of a transcript",
  description:
    "Corrects text and speaker, splits a segment into two, or joins it to the one before it. " +
    "Words in a corrected text have no timestamps: `word_json` divides the time of the " +
    "segment among them, and marks them as `estimated`. Splits and joins change the numbers of " +
    "the segments after them, so they need `If-Match`. So does every change to the segments of " +
    "a transcript with splits or joins.",
  ...showWrite({ segments })
}).patch("correctSegments", path, {
  ...writing,
  payload: Segments
})

const goBack = explain({
  summary: "Restore an earlier version of the corrections",
  description:
    "Creates a new version with the content of the earlier one. The versions in between are kept.",
  ...showWrite({ earlier: target })
}).put("goBack", "/v1/transcriptions/:id/corrections/current", {
  ...writing,
  payload: Target
})

const list = explain({
  summary: "Read the corrections of a transcript",
  description:
    "Returns the current corrections, and all versions with author, time and size. If " +
    "`If-None-Match` contains the `ETag`, the answer is 304 without a body.",
  json: { corrections },
  refusals
}).get("list", "/v1/transcriptions/:id/corrections", {
  params: jobParameters,
  query,
  headers: readConditions,
  success: Corrections,
  error: errors
})

const get = explain({
  summary: "Read a version of the corrections",
  description: "The answer includes every segment that the version changed.",
  json: { version },
  refusals
}).get("get", "/v1/transcriptions/:id/corrections/:version", {
  params: {
    ...jobParameters,
    version: makePathParameter({
      type: "integer",
      minimum: 1,
      description: "The number of the version."
    })
  },
  success: WholeVersion,
  error: errors
})

export const CorrectionsApi = makeGroup("corrections", {
  title: "Corrections",
  description:
    "Name speakers, correct, split and join segments, restore versions, and see who " +
    "corrected what.",
  resource: "transcriptions"
})
  .add(nameSpeakers, correctSegments, list, get, goBack)
  .middleware(TranscriptionAuthentication)

/** Examples of corrections for the description of the API, all of one recording. */
import { makeRefusals } from "../RefusalExamples.ts"

/** Where the corrections stand. */
export const standing = {
  version: 2,
  speakers: { speaker_0: "Ana" },
  segment_count: 1
}

/** Names of speakers. */
export const names = { speaker_0: "Ana", speaker_1: null }

/** Corrections of segments. */
export const segments = [
  { index: 1, text: "Good morning to both of you." },
  { index: 7, speaker: "speaker_0" }
]

/** The version to go back to. */
export const target = { version: 1 }

const made = {
  created_at: "2025-01-02T03:14:05.678Z",
  user_id: "user_018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7e",
  key_id: "018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7f",
  back_to: null
}

const first = { version: 1, ...made, speakers: { speaker_0: "Ana" }, segment_count: 0 }

const second = { version: 2, ...made, speakers: {}, segment_count: 1 }

/** The corrections with their versions. */
export const corrections = {
  ...standing,
  segments: [{ index: 1, text: "Good morning to both of you." }],
  next_segment: null,
  versions: [second, first],
  next_before: null
}

/** A version with what it changed. */
export const version = {
  ...second,
  segments: [{ index: 1, text: "Good morning to both of you.", speaker: null }]
}

/** The sentences of refusals, beside those of every operation. */
export const refusals = {
  400: makeRefusals({
    body: "Invalid request body",
    name: "'speaker_0' must be a string of 1 to 80 characters, or null",
    index: "'segments[0].index' must be below 42, the number of segments",
    text: "'segments[0].text' must be a string of at most 5000 characters, or null",
    limit: "Invalid 'limit' value. Must be an integer from 1 to 100"
  }),
  404: makeRefusals({
    unknown: "Request not found",
    version: "The corrections have no version 3"
  }),
  409: makeRefusals({
    moved: "If-Match does not hold: the corrections are at version 2",
    pending: "The transcription has no transcript yet",
    failed: "The transcription failed: it has no transcript to correct",
    removed: "The results are no longer stored",
    full: "The corrections would be longer than they may: 200000 characters",
    contended: "Others correct this transcript now. Please try again later.",
    key: "Idempotency-Key was already used with another request"
  })
}

/**
 * Submissions for request tests: a URL, a callback, templates, and a function that accepts or
 * refuses a submission.
 */

import { Option, Result } from "effect"
import type { Refusal } from "#src/domain/transcription/TranscriptionRefusal"
import {
  decodeRequest,
  type Parameters,
  type Submission,
  type TranscriptionRequest
} from "#src/domain/transcription/TranscriptionRequest"

export const url = "https://media.example/meeting.mp3"
export const hook = "https://hooks.example/done"

/** The request that results if only a URL is sent. */
export const minimal: TranscriptionRequest = {
  source: { _tag: "Url", url },
  language: null,
  initialPrompt: null,
  isVadFiltered: true,
  isDiarized: true,
  callback: null,
  callbackId: null,
  summary: null,
  template: null
}

const templates = new Map<string, Parameters>([
  ["court", { language: "de", vad_filter: false, summary: "long", url: "ftp://ignored" }],
  ["broken", { language: "xx" }],
  ["__proto__", { language: "fr" }]
])

export const submit = (parameters: Parameters, rest: Partial<Submission> = {}) =>
  decodeRequest({
    parameters,
    upload: Option.none(),
    isTextual: false,
    repeated: [],
    templates,
    ...rest
  })

export const upload = (filename: string) => ({ upload: Option.some({ filename }) })

/** Returns the error message of a refusal, or `accepted`. */
export const answer = (result: Result.Result<TranscriptionRequest, Refusal>) =>
  Result.match(result, { onFailure: ({ message }) => message, onSuccess: () => "accepted" })

/** Submissions that the tests of requests accept or refuse. */

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

/** The request that results from a submission with only a URL. */
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

/** Returns `accepted`, or the error message if the submission is refused. */
export const answer = (result: Result.Result<TranscriptionRequest, Refusal>) =>
  Result.match(result, { onFailure: ({ message }) => message, onSuccess: () => "accepted" })

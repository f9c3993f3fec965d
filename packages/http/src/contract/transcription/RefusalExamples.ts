/** Examples for the description of the API: the sentence of every refusal about transcriptions. */
import type { NamedExamples } from "../OperationExamples.ts"

/** Makes examples of refusals. */
export const makeRefusals = (
  sentences: Readonly<Record<string, string>>
): { "application/json": NamedExamples } => ({
  "application/json": Object.fromEntries(
    Object.entries(sentences).map(([name, detail]) => [name, { detail }])
  )
})

const keys = {
  keyFormat: "Forbidden: Invalid API key format",
  key: "Forbidden: Invalid API key",
  workspace: "Forbidden: The workspace is disabled",
  scope: "Forbidden: The key lacks the scope transcriptions:write"
}

/** What every operation may refuse or fail with. */
export const always = {
  403: makeRefusals(keys),
  500: makeRefusals({ unexpected: "Internal Server Error" })
}

/** Too much of the caller's is under way. */
const busy = { 429: makeRefusals({ busy: "Too many requests at the same time" }) }

/** No such job. */
export const unknown = { 404: makeRefusals({ unknown: "Request not found" }) }

/** Every sentence that a request to transcribe may be refused with, in the order of the rules. */
export const creation = {
  ...always,
  ...busy,
  400: makeRefusals({
    body: "Invalid request body",
    urlType: "The 'URL' field must be a string",
    callbackUrlType: "The 'callback_url' field must be a string",
    noSource: "File or URL required",
    twoSources: "Provide either file or URL, not both",
    urlScheme: "Invalid 'URL' format. Must start with http or https",
    callbackUrlScheme: "Invalid 'callback_url' format. Must start with http or https",
    languageType: "Invalid language format. Must be a string",
    language: "Invalid language code: xx",
    modifier: "Invalid modifier: pdf",
    summary: "Invalid summary type: tiny",
    vadFilter: "Invalid 'vad_filter' value. Must be a boolean",
    disableDiarization: "Invalid 'disable_diarization' value. Must be a boolean",
    callbackId:
      "Invalid 'callback_id' value. Must be a string of at most 1024 bytes without control " +
      "characters and without spaces at its ends",
    initialPrompt:
      "Invalid 'initial_prompt' value. Must be a string of at most 4096 characters without NUL",
    keywords:
      "Invalid 'keywords' value. Must be a list of at most 100 words or phrases, each of 1 to " +
      "100 characters without control characters and without spaces at its ends, 4096 " +
      "characters together",
    speakers: "Invalid 'speakers' value. Must be an integer from 1 to 32",
    tracks: "Invalid tracks: all",
    template: "Invalid template: none",
    twice: "Invalid 'language' value. Must be sent only once",
    fileField: "Invalid language format. Must be a string",
    tooMany: "Too many parameters",
    idempotencyKey: "Invalid 'Idempotency-Key' value. Must be 1 to 255 visible ASCII characters",
    empty: "The file is empty",
    unresolved: "Failed to resolve URL: media.example.com: ENOTFOUND",
    unreachable: "Invalid URL or file not accessible"
  }),
  403: makeRefusals({ ...keys, balance: "Insufficient balance" }),
  409: makeRefusals({
    otherRequest: "Idempotency-Key was already used with another request",
    deleted: "Idempotency-Key was used for a transcription that has been deleted"
  }),
  413: makeRefusals({ size: "File size exceeds 200MB limit" }),
  415: makeRefusals({
    extension: "Unsupported file extension: .txt",
    noExtension: "Unsupported file extension: "
  })
}

/** Why there is no form of a transcript. */
export const renderings = {
  ...unknown,
  ...busy,
  403: always[403],
  400: makeRefusals({ modifier: "Invalid modifier: pdf" }),
  410: makeRefusals({ removed: "The results are no longer stored" }),
  500: makeRefusals({
    notFetched: "Failed to access the file or invalid URL",
    failed: "Transcription result not found",
    unexpected: "Internal Server Error"
  })
}

const timeRule = "Must be a day such as 2030-01-02, or an instant such as 2030-01-02T03:04:05Z"

/** What is wrong with a query for a list. */
export const lists = {
  ...always,
  400: makeRefusals({
    status:
      "Invalid 'status' value. Must be one of ACCEPTED, IN_QUEUE, IN_PROGRESS, TRANSCRIBED, " +
      "COMPLETED, FAILED, WEBHOOK_DELIVERED, WEBHOOK_FAILED",
    callbackId: "Invalid 'callback_id' value. Must be the callback_id of a job",
    createdAfter: `Invalid 'created_after' value. ${timeRule}`,
    createdBefore: `Invalid 'created_before' value. ${timeRule}`,
    cursor: "Invalid 'cursor' value. Must be the next_cursor of a page",
    limit: "Invalid 'limit' value. Must be an integer from 1 to 100"
  })
}

/** Why nothing is wanted again of a job now. */
const renewals = {
  pending: "The webhook is still pending",
  tooOften: "The transcription was asked for again too often"
}

/** Why a webhook is not sent again. */
export const redeliveries = {
  ...always,
  ...unknown,
  400: makeRefusals({ noCallback: "The transcription has no 'callback_url'" }),
  409: makeRefusals({
    pending: renewals.pending,
    lately: "The webhook was asked for again less than 60 seconds ago",
    tooOften: renewals.tooOften
  })
}

/** Why a recording cannot be played. */
export const recordings = {
  409: makeRefusals({
    awaited: "The file is not stored yet",
    expired: "The file is no longer stored"
  })
}

/** Why a job is not run again. */
export const retries = {
  ...always,
  ...unknown,
  409: makeRefusals({
    notFailed: "The transcription has not failed",
    pending: renewals.pending,
    expired: "The file is no longer stored",
    tooOften: renewals.tooOften
  })
}

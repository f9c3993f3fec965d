/**
 * Examples for the OpenAPI document, all about one recording: the requests that submit it, the
 * responses at each stage, the renderings of its transcript, and the message of every refusal.
 */

import type { JobDetails, JobHistory, JobPage, JobView, WorkspaceJobPage } from "@verbatim/core/job"
import { output, render } from "@verbatim/core/rendering"
import { type Modifier, type Transcript, toWarningView } from "@verbatim/core/transcription"
import { WorkspaceId } from "@verbatim/core/workspace"
import { explainWith } from "../Operation.ts"

const keys = {
  keyFormat: "Forbidden: Invalid API key format",
  key: "Forbidden: Invalid API key",
  workspace: "Forbidden: The workspace is disabled",
  scope: "Forbidden: The key lacks the scope transcriptions:write"
}

const unexpected = "Internal Server Error"
const unknown = "Request not found"

export const explain = explainWith({ 403: keys, 404: { unknown }, 500: { unexpected } })

/** The refusal at the limit on concurrent requests. */
const busy = { 429: { busy: "Too many requests at the same time" } }

/** Every refusal of a request to transcribe, in the order in which the rules are checked. */
export const creation = {
  ...busy,
  400: {
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
    speakersMin: "Invalid 'speakers_min' value. Must not be greater than 'speakers_max'",
    speakersOutside: "Invalid 'speakers' value. Must be from 'speakers_min' to 'speakers_max'",
    tracks: "Invalid tracks: all",
    template: "Invalid template: none",
    twice: "Invalid 'language' value. Must be sent only once",
    fileField: "Invalid language format. Must be a string",
    tooMany: "Too many parameters",
    idempotencyKey: "Invalid 'Idempotency-Key' value. Must be 1 to 255 visible ASCII characters",
    empty: "The file is empty",
    unresolved: "Failed to resolve URL: media.example.com: ENOTFOUND",
    unreachable: "Invalid URL or file not accessible"
  },
  403: { ...keys, balance: "Insufficient balance" },
  409: {
    otherRequest: "Idempotency-Key was already used with another request",
    deleted: "Idempotency-Key was used for a transcription that has been deleted"
  },
  413: { size: "File size exceeds 200MB limit" },
  415: {
    extension: "Unsupported file extension: .txt",
    noExtension: "Unsupported file extension: "
  }
}

/** Refusals of quotes: the same as for a JSON request with a link. */
export const quotes = {
  ...busy,
  400: {
    body: creation[400].body,
    noSource: creation[400].noSource,
    urlScheme: creation[400].urlScheme,
    unresolved: creation[400].unresolved,
    unreachable: creation[400].unreachable
  },
  413: creation[413],
  415: creation[415]
}

export const renderings = {
  ...busy,
  400: { modifier: "Invalid modifier: pdf" },
  410: { removed: "The results are no longer stored" },
  500: {
    notFetched: "Failed to access the file or invalid URL",
    failed: "Transcription result not found",
    unexpected
  }
}

export const partialReads = {
  400: { partial: "Invalid 'partial' value. Must be true or false" }
}

export const removals = {
  400: {
    ifStatus: "Invalid 'if_status' value. Must be one of UNTRANSCRIBED, ENDED"
  },
  409: { ended: "The status of the transcription is COMPLETED" }
}

const timeRule = "Must be a day such as 2030-01-02, or an instant such as 2030-01-02T03:04:05Z"

export const lists = {
  400: {
    status:
      "Invalid 'status' value. Must be one of ACCEPTED, IN_QUEUE, IN_PROGRESS, TRANSCRIBED, " +
      "COMPLETED, FAILED, WEBHOOK_DELIVERED, WEBHOOK_FAILED",
    cause: "Invalid 'cause' value. Must be the name of a failure, such as MediaUnreachable",
    callbackId: "Invalid 'callback_id' value. Must be the callback_id of a job",
    createdAfter: `Invalid 'created_after' value. ${timeRule}`,
    createdBefore: `Invalid 'created_before' value. ${timeRule}`,
    q: "Invalid 'q' value. Must be 1 to 200 characters, with a letter or a digit",
    cursor: "Invalid 'cursor' value. Must be the next_cursor of a page",
    limit: "Invalid 'limit' value. Must be an integer from 1 to 100"
  }
}

/** Refusals that redelivery and retry share. */
const renewals = {
  pending: "The webhook is still pending",
  tooOften: "The transcription was requested again too often"
}

export const redeliveries = {
  400: { noCallback: "The transcription has no 'callback_url'" },
  409: {
    pending: renewals.pending,
    lately: "The webhook was requested again less than 60 seconds ago",
    tooOften: renewals.tooOften
  }
}

export const recordings = {
  409: {
    awaited: "The file is not stored yet",
    expired: "The file is no longer stored"
  }
}

export const retries = {
  409: {
    notFailed: "The transcription has not failed",
    pending: renewals.pending,
    expired: "The file is no longer stored",
    tooOften: renewals.tooOften
  }
}

/** Refusals of actions on many jobs: those of the list, and of the body. */
export const actions = {
  400: {
    action: "Invalid request parameters: action: must be one of retry, redeliver, cancel, delete",
    unfiltered: "Send a filter or 'ids'",
    twoWays: "Send either 'ids' or a query, not both",
    empty: "Invalid 'status' value. Must not be empty",
    ...lists[400]
  },
  403: { ...keys, read: "Forbidden: The key lacks the scope transcriptions:read" }
}

const id = "0194246d-2f2e-7c3b-8d4e-5f6a7b8c9d0e"

export const actionRequests = {
  filtered: { action: "retry" },
  chosen: { action: "delete", ids: [id] }
} as const

export const actionResult = {
  done: 99,
  refused: [{ status: 409, detail: retries[409].expired, ids: [id] }],
  next_cursor: id
}

const transcript: Transcript = {
  durationMillis: 4_200,
  language: "en",
  segments: [
    { startMillis: 0, endMillis: 1_900, speaker: "speaker_0", text: "Good morning." },
    { startMillis: 2_300, endMillis: 4_000, speaker: "speaker_1", text: "Good morning to you." }
  ]
}

/** Renders the example transcript. The result is a JSON value for a JSON format, otherwise text. */
export const showRendering = (modifier: Modifier): unknown => {
  const { body, contentType } = render(modifier, transcript)
  return contentType === "application/json" ? JSON.parse(body) : body
}

const options = {
  language: "en",
  callback_url: "https://hooks.example.com/transcripts",
  callback_id: "call-2025-01-02",
  summary: "brief"
}

/** Example requests: one for each encoding, and one with a file. */
export const requests = {
  multipart: {
    file: { file: "(the bytes of meeting.mp3)", ...options },
    url: { url: "https://media.example.com/meeting.mp3", disable_diarization: "true" }
  },
  json: { url: { url: "https://media.example.com/meeting.mp3", vad_filter: false, ...options } },
  form: { url: { url: "https://media.example.com/meeting.mp3", vad_filter: "false", ...options } }
} as const

/** An example quote: facts about a recording that are known before its link is fetched. */
export const quote = {
  url: requests.json.url.url,
  content_type: "audio/mpeg",
  size_bytes: 4_194_304,
  balance_minutes: "582.40",
  balance_sufficient: true
}

const anyStatus = { id, balance_minutes: "582.40" }

const fromRequest = { callback_id: options.callback_id }

const queued = {
  ...anyStatus,
  status: "IN_QUEUE",
  transcription_status: "IN_QUEUE",
  webhook_status: "PENDING",
  summary_status: "PENDING",
  ...fromRequest
} as const

export const jobs = {
  accepted: queued,
  inProgress: { ...anyStatus, status: "IN_PROGRESS", transcription_status: "IN_PROGRESS" },
  completed: {
    ...anyStatus,
    status: "COMPLETED",
    transcription_status: "COMPLETED",
    output: output(transcript)
  },
  delivered: {
    ...anyStatus,
    status: "WEBHOOK_DELIVERED",
    transcription_status: "TRANSCRIBED",
    webhook_status: "DELIVERED",
    summary_status: "COMPLETED",
    summary: "Two people greet each other. Nothing is decided.",
    ...fromRequest,
    output: output(transcript)
  },
  results: {
    ...anyStatus,
    status: "TRANSCRIBED",
    transcription_status: "TRANSCRIBED",
    webhook_status: "PENDING",
    summary_status: "SKIPPED: transcript too short",
    ...fromRequest,
    output: output(transcript)
  },
  redelivered: {
    ...anyStatus,
    status: "TRANSCRIBED",
    transcription_status: "TRANSCRIBED",
    webhook_status: "PENDING",
    ...fromRequest
  },
  retried: queued,
  failed: {
    ...anyStatus,
    status: "FAILED",
    transcription_status: "FAILED",
    webhook_status: "PENDING",
    summary_status: "SKIPPED: transcription failed",
    ...fromRequest,
    error: "The file could not be decoded"
  }
} as const satisfies Record<string, JobView>

const at = "2025-01-02T03:04:05.678Z"

export const details: JobDetails = {
  ...anyStatus,
  status: "WEBHOOK_DELIVERED",
  transcription_status: "TRANSCRIBED",
  webhook_status: "DELIVERED",
  summary_status: "COMPLETED",
  summary: "Two people greet each other. Nothing is decided.",
  keywords_used: true,
  ...fromRequest,
  created_at: at,
  filename: "meeting.mp3",
  pieces: { done: 2, total: 2 },
  duration: "4.2",
  language: "en",
  engine: "openai whisper-1",
  speaker_count: 2,
  warnings: [
    toWarningView({ _tag: "TracksIgnored", trackCount: 2, track: 1 }),
    toWarningView({ _tag: "AudioTruncated", declaredMillis: 11_000, readMillis: 4_200 })
  ],
  summary_requested: "medium",
  summary_type: "brief",
  output: output(transcript)
}

/** The details of a job while half of its recording is recognised. */
export const partialDetails: JobDetails = {
  ...jobs.inProgress,
  created_at: at,
  filename: "meeting.mp3",
  pieces: { done: 1, total: 2 },
  partial_output: output({
    ...transcript,
    durationMillis: 1_900,
    segments: transcript.segments.slice(0, 1)
  })
}

/** A page of the job list that is followed by another page. */
export const page: JobPage = {
  data: [
    { ...jobs.inProgress, created_at: at, filename: "meeting.mp3", pieces: { done: 1, total: 2 } },
    { ...jobs.redelivered, id: "0194246d-1a2b-7c3b-8d4e-5f6a7b8c9d0e", created_at: at }
  ],
  next_cursor: "0194246d-1a2b-7c3b-8d4e-5f6a7b8c9d0e"
}

export const workspaceJobs: WorkspaceJobPage = {
  data: [
    {
      workspace_id: WorkspaceId.make("0194246d-0000-7000-8000-000000000001"),
      workspace_name: "Customer",
      ...jobs.inProgress,
      created_at: at,
      filename: "meeting.mp3"
    }
  ],
  next_cursor: null
}

/** The history of a job whose receiver accepted the webhook at the first attempt. */
export const history: JobHistory = {
  id,
  events: [
    { revision: 1, at, about: "job", event: "accepted" },
    { revision: 2, at, about: "transcription", event: "attempt_started" },
    {
      revision: 3,
      at,
      about: "transcription",
      event: "piece_recognised",
      piece: 0,
      pieces: 1
    },
    {
      revision: 4,
      at,
      about: "transcription",
      event: "transcript_produced",
      duration: "4.2",
      language: "en",
      engine: "pocketsphinx"
    },
    { revision: 5, at, about: "webhook", event: "attempt_started" },
    { revision: 6, at, about: "webhook", event: "receiver_accepted", status_code: 204 }
  ],
  webhook_attempts: [
    { delivery: 1, attempt: 1, started_at: at, duration_ms: 120, status_code: 204, bytes: 1840 }
  ]
}

/**
 * Examples for the description of the API, all of one recording: the requests that submit it, the
 * answers along its way, and the forms of its transcript.
 */
import type { JobDetails, JobHistory, JobPage, JobView } from "@verbatim/core/job"
import { output, render } from "@verbatim/core/rendering"
import { type Modifier, type Transcript, toWarningView } from "@verbatim/core/transcription"

const id = "0194246d-2f2e-7c3b-8d4e-5f6a7b8c9d0e"

const transcript: Transcript = {
  durationMillis: 4_200,
  language: "en",
  segments: [
    { startMillis: 0, endMillis: 1_900, speaker: "speaker_0", text: "Good morning." },
    { startMillis: 2_300, endMillis: 4_000, speaker: "speaker_1", text: "Good morning to you." }
  ]
}

/** Shows the transcript in a form, as JSON where the form is JSON. */
export const showRendering = (modifier: Modifier): unknown => {
  const { body, contentType } = render(modifier, transcript)
  return contentType === "application/json" ? JSON.parse(body) : body
}

const wishes = {
  language: "en",
  callback_url: "https://hooks.example.com/transcripts",
  callback_id: "call-2025-01-02",
  summary: "brief"
}

/** The requests, one for each encoding and one more with a file. */
export const requests = {
  multipart: {
    file: { file: "(the bytes of meeting.mp3)", ...wishes },
    url: { url: "https://media.example.com/meeting.mp3", disable_diarization: "true" }
  },
  json: { url: { url: "https://media.example.com/meeting.mp3", vad_filter: false, ...wishes } },
  form: { url: { url: "https://media.example.com/meeting.mp3", vad_filter: "false", ...wishes } }
} as const

const anyStatus = { id, balance_minutes: "582.40" }

const asked = { callback_id: wishes.callback_id }

const queued = {
  ...anyStatus,
  status: "IN_QUEUE",
  transcription_status: "IN_QUEUE",
  webhook_status: "PENDING",
  summary_status: "PENDING",
  ...asked
} as const

/** The job in the states that callers see. */
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
    ...asked,
    output: output(transcript)
  },
  results: {
    ...anyStatus,
    status: "TRANSCRIBED",
    transcription_status: "TRANSCRIBED",
    webhook_status: "PENDING",
    summary_status: "SKIPPED: transcript too short",
    ...asked,
    output: output(transcript)
  },
  redelivered: {
    ...anyStatus,
    status: "TRANSCRIBED",
    transcription_status: "TRANSCRIBED",
    webhook_status: "PENDING",
    ...asked
  },
  retried: queued,
  failed: {
    ...anyStatus,
    status: "FAILED",
    transcription_status: "FAILED",
    webhook_status: "PENDING",
    summary_status: "SKIPPED: transcription failed",
    ...asked,
    error: "The file could not be decoded"
  }
} as const satisfies Record<string, JobView>

const at = "2025-01-02T03:04:05.678Z"

/** A job with all that is known of it. */
export const details: JobDetails = {
  ...anyStatus,
  status: "WEBHOOK_DELIVERED",
  transcription_status: "TRANSCRIBED",
  webhook_status: "DELIVERED",
  summary_status: "COMPLETED",
  summary: "Two people greet each other. Nothing is decided.",
  keywords_used: true,
  ...asked,
  created_at: at,
  filename: "meeting.mp3",
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

/** A page of a list, with another page to follow. */
export const page: JobPage = {
  data: [
    { ...jobs.inProgress, created_at: at, filename: "meeting.mp3" },
    { ...jobs.redelivered, id: "0194246d-1a2b-7c3b-8d4e-5f6a7b8c9d0e", created_at: at }
  ],
  next_cursor: "0194246d-1a2b-7c3b-8d4e-5f6a7b8c9d0e"
}

/** What happened to a job whose webhook was accepted at the first attempt. */
export const history: JobHistory = {
  id,
  events: [
    { revision: 1, at, about: "job", event: "accepted" },
    { revision: 2, at, about: "transcription", event: "attempt_started" },
    {
      revision: 3,
      at,
      about: "transcription",
      event: "transcript_produced",
      duration: "4.2",
      language: "en",
      engine: "pocketsphinx"
    },
    { revision: 4, at, about: "webhook", event: "attempt_started" },
    { revision: 5, at, about: "webhook", event: "receiver_accepted", status_code: 204 }
  ],
  webhook_attempts: [
    { delivery: 1, attempt: 1, started_at: at, duration_ms: 120, status_code: 204, bytes: 1840 }
  ]
}

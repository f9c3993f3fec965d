/**
 * What is seen of each variable: with an unusual value, at a real server, by what request. The page
 * about configuration shows these beside what the variable does.
 */
import type { Name } from "#src/settings/Variables"

/** What the test of settings does with one variable. */
export interface Evidence {
  /** An unusual value. Left out where it is an address, a folder or a key that a run makes. */
  readonly value?: string
  /** With that value: the request, and what its answer or its work shows. */
  readonly seen: string
}

/** By the name of the variable; a new one needs a row. */
export const evidence: Readonly<Record<Name, Evidence>> = {
  HOST: {
    value: "127.0.0.2",
    seen: "`GET /health` is answered there"
  },
  PORT: {
    seen: "`GET /health` is answered there"
  },
  ROLES: {
    value: "http",
    seen: "`GET /health` has no `worker` and no `transcriber`"
  },
  HEALTH_PORT: {
    seen: "`GET /health` is answered there"
  },
  CONNECTIONS: {
    value: "30",
    seen: "`GET /health` over 33 connections of three addresses: some are closed unanswered"
  },
  CONNECTIONS_PER_ADDRESS: {
    value: "12",
    seen: "`GET /health` over 13 connections of one address: the last is answered with 429"
  },
  CORS_ORIGINS: {
    value: "https://unusual.example",
    seen: "`GET /health` from a page of that origin: `Access-Control-Allow-Origin` names it"
  },
  REQUESTS_PER_KEY: {
    value: "7",
    seen: "`GET /v1/transcriptions` beside seven uploads that do not end: 429"
  },
  LISTENERS: {
    value: "3",
    seen: "`GET /v1/transcriptions/events` beside three who listen: 503"
  },
  LISTENERS_PER_WORKSPACE: {
    value: "3",
    seen: "`GET /v1/transcriptions/events` beside three who listen: 429 that names the workspace"
  },
  LISTENERS_PER_KEY: {
    value: "3",
    seen: "`GET /v1/transcriptions/events` beside three who listen: 429 that names the key"
  },
  TRANSCRIBE_CONCURRENCY: {
    seen: "`GET /health` beside many jobs: one more than there are cores in `worker.running`"
  },
  ORIGIN_CONCURRENCY: {
    value: "6",
    seen: "`GET /health` beside eight jobs from one host: `worker.running` has six downloads"
  },
  CONSOLE: {
    value: "off",
    seen: "`GET /console/`: 404"
  },
  METRICS: {
    value: "true",
    seen: "`GET /metrics` with the token: 200"
  },
  METRICS_TOKEN: {
    value: "unusual-token-of-prometheus",
    seen: "`GET /metrics` without it: 401"
  },
  DATA_DIR: {
    seen: "the file of `POST /v1/transcribe` is in `media` there"
  },
  CACHE_DIR: {
    seen: "the model that `GET /health` names is in `models` there"
  },
  LOG_FORMAT: {
    value: "logfmt",
    seen: "the line about `GET /v1/presets` has that form"
  },
  LOG_LEVEL: {
    value: "debug",
    seen: "there is a line about `GET /health`"
  },
  DATABASE_URL: {
    seen: "`GET /v1/status/{id}` at another process on that database knows the job"
  },
  DATABASE_SCHEMA: {
    value: "odd_place",
    seen: "the row of `POST /v1/transcribe`'s job is in a table of that schema"
  },
  DATABASE_CONNECTIONS: {
    value: "13",
    seen: "many `GET /v1/presets` while the table is locked: 13 sessions wait"
  },
  DATABASE_CONNECT_SECONDS: {
    value: "1",
    seen:
      "a start on a database that says nothing waits less than half as long as one without " +
      "the setting"
  },
  DATABASE_STATEMENT_SECONDS: {
    value: "2",
    seen: "`GET /v1/presets` while the table is locked fails before one without the setting"
  },
  MEDIA_URL: {
    value: "s3://verbatim-unusual/jobs",
    seen: "the file of `POST /v1/transcribe` is an object in that folder of the bucket"
  },
  S3_ENDPOINT: {
    seen: "the file of `POST /v1/transcribe` is sent there"
  },
  S3_REGION: {
    value: "eu-unusual-9",
    seen: "the bucket's server sees it in the signatures of what `POST /v1/transcribe` stores"
  },
  S3_ACCESS_KEY_ID: {
    seen: "the bucket's server sees it in the signatures of what `POST /v1/transcribe` stores"
  },
  S3_SECRET_ACCESS_KEY: {
    seen: "the bucket's server, which verifies signatures, takes `POST /v1/transcribe`'s file"
  },
  KEEP_MEDIA: {
    value: "true",
    seen: "the file of `POST /v1/transcribe` is still there when the job has its transcript"
  },
  KEEP_FAILED_MEDIA: {
    value: "1 millis",
    seen: "`POST /v1/transcriptions/{id}/retry` of a job that failed: 409"
  },
  RETENTION_MEDIA_DAYS: {
    value: "12",
    seen: "`verbatim workspaces show`: media kept 12 days"
  },
  RETENTION_TRANSCRIPT_DAYS: {
    value: "123",
    seen: "`verbatim workspaces show`: transcripts kept 123 days"
  },
  RETENTION_JOB_DAYS: {
    value: "1234",
    seen: "`verbatim workspaces show`: jobs kept 1234 days"
  },
  TRANSCRIBER: {
    value: "openai",
    seen: "`GET /health` names it in `transcriber`"
  },
  SUMMARIZER: {
    value: "openai",
    seen: "`POST /v1/transcribe` with a summary: a language model is asked for it"
  },
  MODEL: {
    value: "tailored",
    seen: "`GET /health` names it in `transcriber`"
  },
  MODELS: {
    seen: "`POST /v1/transcribe` is transcribed by the model that is there"
  },
  MODEL_SOURCE: {
    seen: "the model that `GET /health` names was fetched there"
  },
  OPENAI_BASE_URL: {
    seen: "`GET /health`: the engine is ready although there is no key for OpenAI"
  },
  OPENAI_API_KEY: {
    value: "sk-unusual",
    seen: "`POST /v1/transcribe`: the server that transcribes is shown it"
  },
  OPENAI_TRANSCRIPTION_MODEL: {
    value: "unusual-hearing",
    seen: "`POST /v1/transcribe`: the server that transcribes is asked for it"
  },
  OPENAI_DIALECT: {
    value: "faster-whisper",
    seen: "`POST /v1/transcribe`: the server that transcribes gets the field `vad_filter`"
  },
  OPENAI_UPLOAD_MB: {
    value: "1",
    seen: "`POST /v1/transcribe` with a minute of audio: it arrives in three files"
  },
  OPENAI_SUMMARY_MODEL: {
    value: "unusual-writing",
    seen: "`POST /v1/transcribe` with a summary: the server that sums up is asked for it"
  },
  OPENAI_SUMMARY_PART_KB: {
    value: "2",
    seen: "`POST /v1/transcribe` with a summary of 3 KB of text: parts of it, then the whole"
  },
  OPENAI_SUMMARY_BASE_URL: {
    seen: "`POST /v1/transcribe` with a summary: that server is asked for it"
  },
  OPENAI_SUMMARY_API_KEY: {
    value: "sk-unusual-writing",
    seen: "`POST /v1/transcribe` with a summary: the server that sums up is shown it"
  },
  MAX_FILE_MB: {
    value: "2",
    seen: "`POST /v1/transcribe` with 2 MB and a byte: 413"
  },
  TEMPLATES: {
    seen: "`POST /v1/transcribe` with a `template` is answered with its `callback_id`"
  },
  ALLOW_NETWORKS: {
    value: "127.0.0.0/8",
    seen: "`POST /v1/transcribe` with a `url` of this machine: it is asked for its file"
  },
  WEBHOOK_SECRET: {
    value: `whsec_${"A".repeat(43)}=`,
    seen: "`POST /v1/transcribe` with a `callback_url`: its webhook is signed with it"
  },
  BOOTSTRAP_MANAGEMENT_KEY: {
    value: "unusual-management-key-0123456789",
    seen: "`GET /v1/presets` with it: 200"
  },
  BOOTSTRAP_INFERENCE_KEY: {
    value: "unusual-inference-key-01234567890",
    seen: "`GET /v1/transcriptions` with it: 200"
  },
  BOOTSTRAP_OPERATOR_KEY: {
    value: "unusual-operator-key-0123456789abcdef",
    seen: "`GET /v1/workspaces` with it: 200"
  },
  BOOTSTRAP_MINUTES: {
    value: "77.5",
    seen: "`POST /v1/transcribe` is answered with this `balance_minutes`"
  }
}

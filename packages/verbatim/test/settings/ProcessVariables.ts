/** The variables of a process and of what it keeps, as rows. */
import type { Part } from "./Variable.ts"

const running = {
  heading: "The process",
  variables: [
    {
      name: "HOST",
      unset: "127.0.0.1",
      does: "the address to listen on",
      value: "127.0.0.2",
      seen: "`GET /health` is answered there"
    },
    {
      name: "PORT",
      unset: "8787",
      does: "the port to listen on; `0` picks a free one",
      seen: "`GET /health` is answered there"
    },
    {
      name: "ROLES",
      unset: "http,worker",
      does: "either, or both; many processes may share one database",
      value: "http",
      seen: "`GET /health` has no `worker` and no `transcriber`"
    },
    {
      name: "CONNECTIONS",
      unset: "8192",
      does: "open at the same time, from everywhere; what is over is closed",
      value: "30",
      seen: "`GET /health` over 33 connections of three addresses: some are closed unanswered"
    },
    {
      name: "CONNECTIONS_PER_ADDRESS",
      unset: "4096",
      does:
        "open at the same time from one address (of IPv6: one network of 64 bits); behind a " +
        "proxy, as many as the proxy opens. What is over is answered with 429",
      value: "12",
      seen: "`GET /health` over 13 connections of one address: the last is answered with 429"
    },
    {
      name: "REQUESTS_PER_KEY",
      unset: "1024",
      does:
        "under way at the same time in one process, until their answers are sent; what is over " +
        "is answered with 429 and `Retry-After`",
      value: "7",
      seen: "`GET /v1/transcriptions` beside seven uploads that do not end: 429"
    },
    {
      name: "TRANSCRIBE_CONCURRENCY",
      unset: { words: "number of cores" },
      does: "transcriptions of this process at the same time, and as many summaries",
      seen: "`GET /health` beside many jobs: one more than there are cores in `worker.running`"
    },
    {
      name: "ORIGIN_CONCURRENCY",
      unset: "4",
      does:
        "downloads of one workspace from one host, or its webhooks to one, at a time; up to 64 " +
        "where all webhooks go to one receiver that can take it",
      value: "6",
      seen: "`GET /health` beside eight jobs from one host: `worker.running` has six downloads"
    },
    {
      name: "DATA_DIR",
      unset: ".verbatim",
      does: "what must be kept, where no other place is named",
      seen: "the file of `POST /v1/transcribe` is in `media` there"
    },
    {
      name: "CACHE_DIR",
      unset: { words: "the user's cache folder + `/verbatim`" },
      does: "models and unpacked engines, which may be deleted",
      seen: "the model that `GET /health` names is in `models` there"
    },
    {
      name: "LOG_FORMAT",
      unset: { words: "`pretty` on a terminal, else `json`" },
      does: "`pretty`, `json` or `logfmt`: the form of the log, which goes to the standard error",
      value: "logfmt",
      seen: "the line about `GET /v1/presets` has that form"
    },
    {
      name: "LOG_LEVEL",
      unset: "info",
      does:
        "`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `none`: what is less than that is " +
        "not logged",
      value: "debug",
      seen: "there is a line about `GET /health`"
    }
  ]
} as const satisfies Part

const kept = {
  heading: "What must be kept",
  variables: [
    {
      name: "DATABASE_URL",
      unset: { words: "`sqlite:<data dir>/verbatim.db`" },
      does:
        "`sqlite:<file>`, `postgres://user:password@host/database` for many machines, `memory:` " +
        "for tests",
      seen: "`GET /v1/status/{id}` at another process on that database knows the job"
    },
    {
      name: "DATABASE_CONNECTIONS",
      unset: "10",
      does:
        "of Postgres: sessions of one process (one that works on jobs keeps up to five more for " +
        "renewals and the ends of attempts)",
      value: "13",
      seen: "many `GET /v1/presets` while the table is locked: 13 sessions wait"
    },
    {
      name: "DATABASE_CONNECT_SECONDS",
      unset: "5",
      does: "of Postgres: the time to open a session",
      value: "1",
      seen:
        "a start on a database that says nothing waits less than half as long as one without " +
        "the setting"
    },
    {
      name: "DATABASE_STATEMENT_SECONDS",
      unset: "5",
      does: "of Postgres: the time for a statement",
      value: "2",
      seen: "`GET /v1/presets` while the table is locked fails before one without the setting"
    },
    {
      name: "MEDIA_URL",
      unset: { words: "`file:<data dir>/media`" },
      does: "`file:<folder>`, or `s3://bucket/folder` for processes on many machines",
      value: "s3://verbatim-unusual/jobs",
      seen: "the file of `POST /v1/transcribe` is an object in that folder of the bucket"
    },
    {
      name: "S3_ENDPOINT",
      unset: { words: "Amazon's" },
      does: "another server that speaks S3",
      seen: "the file of `POST /v1/transcribe` is sent there"
    },
    {
      name: "S3_REGION",
      unset: "us-east-1",
      does: "the region that requests are signed for",
      value: "eu-unusual-9",
      seen: "the bucket's server sees it in the signatures of what `POST /v1/transcribe` stores"
    },
    {
      name: "S3_ACCESS_KEY_ID",
      unset: { words: "as Amazon's tools find it" },
      does:
        "the account of the bucket; both keys or neither. Tested against a small server that " +
        "verifies signatures, not against Amazon's",
      seen: "the bucket's server sees it in the signatures of what `POST /v1/transcribe` stores"
    },
    {
      name: "S3_SECRET_ACCESS_KEY",
      unset: { words: "as Amazon's tools find it" },
      does: "its secret",
      seen: "the bucket's server, which verifies signatures, takes `POST /v1/transcribe`'s file"
    },
    {
      name: "KEEP_MEDIA",
      unset: "false",
      does: "whether media stays when its transcription has succeeded",
      value: "true",
      seen: "the file of `POST /v1/transcribe` is still there when the job has its transcript"
    },
    {
      name: "KEEP_FAILED_MEDIA",
      unset: "7 days",
      does: "how long media of a failed transcription stays, so that it can be retried",
      value: "1 millis",
      seen: "`POST /v1/transcriptions/{id}/retry` of a job that failed: 409"
    }
  ]
} as const satisfies Part

export const processParts = [running, kept] as const

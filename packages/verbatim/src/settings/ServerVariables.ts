/** The variables of a process and of what it keeps, as rows. */
import { retentionDayMax } from "@verbatim/core/workspace"
import type { Part } from "./Variable.ts"

const running = {
  heading: "The process",
  variables: [
    {
      name: "HOST",
      unset: "127.0.0.1",
      does: "the address to listen on"
    },
    {
      name: "PORT",
      unset: "8787",
      does: "the port to listen on; `0` picks a free one",
      range: { minimum: 0, maximum: 65_535 }
    },
    {
      name: "ROLES",
      unset: "http,worker",
      does: "either, or both; many processes may share one database",
      expected: "http, worker, or http,worker"
    },
    {
      name: "HEALTH_PORT",
      unset: { words: "`8788`; where that is taken, a free one, which the start tells" },
      does:
        "of a process with the role `worker` alone: the port of `GET /health` and " +
        "`GET /health/ready`, and of `GET /metrics` where that is on; `off` for none",
      expected: "a whole number from 0 to 65535, or off"
    },
    {
      name: "CONNECTIONS",
      unset: "8192",
      does: "open at the same time, from everywhere; what is over is closed",
      // Each costs a descriptor and some kilobytes.
      range: { minimum: 1, maximum: 1_000_000 }
    },
    {
      name: "CONNECTIONS_PER_ADDRESS",
      unset: "4096",
      does:
        "open at the same time from one address (of IPv6: one network of 64 bits); behind a " +
        "proxy, as many as the proxy opens. What is over is answered with 429",
      // Behind a proxy all connections come from one address.
      range: { minimum: 1, maximum: 1_000_000 }
    },
    {
      name: "CORS_ORIGINS",
      unset: { words: "none: browsers keep answers from pages of other origins" },
      does:
        "origins whose pages may call from a browser, such as `https://app.example.com`, " +
        "separated by commas, or `*`; a page needs a key as everybody, and cookies mean nothing. " +
        "No page reads `/metrics`, nor what a worker's own port tells",
      expected: "*, or origins like https://app.example.com, without a path, separated by commas"
    },
    {
      name: "REQUESTS_PER_KEY",
      unset: "1024",
      does:
        "under way at the same time in one process, until their answers are sent; what is over " +
        "is answered with 429 and `Retry-After`",
      range: { minimum: 1, maximum: 100_000 }
    },
    {
      name: "TRANSCRIBE_CONCURRENCY",
      unset: { words: "number of cores" },
      does: "transcriptions of this process at the same time, and as many summaries",
      range: { minimum: 1, maximum: 1_024 }
    },
    {
      name: "ORIGIN_CONCURRENCY",
      unset: "4",
      does:
        "downloads of one workspace from one host, or its webhooks to one, at a time; up to 64 " +
        "where all webhooks go to one receiver that can take it",
      // A process sends no more webhooks at a time, whoever they are for.
      range: { minimum: 1, maximum: 64 }
    },
    {
      name: "METRICS",
      unset: "false",
      does: "whether this process tells its [metrics](metrics.md) at `GET /metrics`",
      expected: "true or false"
    },
    {
      name: "METRICS_TOKEN",
      unset: "",
      does: "what a reader of the metrics sends as a bearer token",
      expected: "16 to 512 visible ASCII characters"
    },
    {
      name: "DATA_DIR",
      unset: ".verbatim",
      does: "what must be kept, where no other place is named"
    },
    {
      name: "CACHE_DIR",
      unset: { words: "the user's cache folder + `/verbatim`" },
      does: "models and unpacked engines, which may be deleted"
    },
    {
      name: "LOG_FORMAT",
      unset: { words: "`pretty` on a terminal, else `json`" },
      does: "the form of the log, which goes to the standard error",
      expected: "pretty, json, or logfmt"
    },
    {
      name: "LOG_LEVEL",
      unset: "info",
      does: "what is less than that is not logged",
      expected: "trace, debug, info, warn, error, fatal, or none"
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
      expected: "sqlite:<file>, postgres://<user>:<password>@<host>/<database>, or memory:"
    },
    {
      name: "DATABASE_CONNECTIONS",
      unset: "10",
      does:
        "of Postgres: sessions of one process (one that works on jobs keeps up to five more for " +
        "renewals and the ends of attempts)",
      // A server allows a hundred by default, and there are other processes.
      range: { minimum: 1, maximum: 1_000 }
    },
    {
      name: "DATABASE_CONNECT_SECONDS",
      unset: "5",
      does: "of Postgres: the time to open a session",
      range: { minimum: 1, maximum: 60 }
    },
    {
      name: "DATABASE_STATEMENT_SECONDS",
      unset: "5",
      does: "of Postgres: the time for a statement",
      // A lease is not trusted for longer than 25 s without a renewal.
      range: { minimum: 1, maximum: 20 }
    },
    {
      name: "MEDIA_URL",
      unset: { words: "`file:<data dir>/media`" },
      does: "`file:<folder>`, or `s3://bucket/folder` for processes on many machines",
      expected: "file:<directory>, s3://<bucket> or s3://<bucket>/<folder>"
    },
    {
      name: "S3_ENDPOINT",
      unset: { words: "Amazon's" },
      does: "another server that speaks S3",
      expected: "a http or https URL without a user"
    },
    {
      name: "S3_REGION",
      unset: "us-east-1",
      does: "the region that requests are signed for"
    },
    {
      name: "S3_ACCESS_KEY_ID",
      unset: { words: "as Amazon's tools find it" },
      does:
        "the account of the bucket; both keys or neither. Tested against a small server that " +
        "verifies signatures, not against Amazon's"
    },
    {
      name: "S3_SECRET_ACCESS_KEY",
      unset: { words: "as Amazon's tools find it" },
      does: "its secret"
    },
    {
      name: "KEEP_MEDIA",
      unset: "false",
      does: "whether media stays when its transcription has succeeded",
      expected: "true or false"
    },
    {
      name: "KEEP_FAILED_MEDIA",
      unset: "7 days",
      does: "how long media of a failed transcription stays, so that it can be retried",
      expected: "a length of time such as 7 days"
    },
    {
      name: "RETENTION_MEDIA_DAYS",
      unset: { words: "none" },
      does: "days after the end of a job, then its media goes",
      range: { minimum: 1, maximum: retentionDayMax }
    },
    {
      name: "RETENTION_TRANSCRIPT_DAYS",
      unset: { words: "none" },
      does: "days, then transcript and summary go",
      range: { minimum: 1, maximum: retentionDayMax }
    },
    {
      name: "RETENTION_JOB_DAYS",
      unset: { words: "none" },
      does: "days, then the whole job goes; the ledger stays",
      range: { minimum: 1, maximum: retentionDayMax }
    }
  ]
} as const satisfies Part

export const serverParts = [running, kept] as const

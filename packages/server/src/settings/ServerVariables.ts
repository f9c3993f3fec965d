/** The variables of a process and of what it keeps, as rows. */
import { SchemaName } from "@verbatim/adapters/sql"
import { retentionDayMax } from "@verbatim/core/workspace"
import { flag, number, type Table, text } from "./Variable.ts"

const amazonDefault = { unset: { words: "as Amazon's tools find it" } }

const retentionDays = { unset: { words: "none" }, minimum: 1, maximum: retentionDayMax }

const running = {
  heading: "The process",
  variables: {
    HOST: text({ unset: "127.0.0.1" }, "the address to listen on"),
    PORT: number(
      { unset: "8787", minimum: 0, maximum: 65_535 },
      "the port to listen on; `0` picks a free one"
    ),
    ROLES: text(
      { unset: "http,worker", expected: "http, worker, or http,worker" },
      "either, or both; many processes may share one database"
    ),
    HEALTH_PORT: text(
      {
        unset: { words: "`8788`; where that is taken, a free one, which the start tells" },
        expected: "a whole number from 0 to 65535, or off"
      },
      "of a process with the role `worker` alone: the port of `GET /health` and " +
        "`GET /health/ready`, and of `GET /metrics` where that is on; `off` for none"
    ),
    // Each costs a descriptor and some kilobytes.
    CONNECTIONS: number(
      { unset: "8192", minimum: 1, maximum: 1_000_000 },
      "open at the same time, from everywhere; what is over is closed"
    ),
    // Behind a proxy all connections come from one address.
    CONNECTIONS_PER_ADDRESS: number(
      { unset: "4096", minimum: 1, maximum: 1_000_000 },
      "open at the same time from one address (of IPv6: one network of 64 bits); behind a " +
        "proxy, as many as the proxy opens. What is over is answered with 429"
    ),
    CORS_ORIGINS: text(
      {
        unset: { words: "none: browsers keep answers from pages of other origins" },
        expected: "*, or origins like https://app.example.com, without a path, separated by commas"
      },
      "origins whose pages may call from a browser, such as `https://app.example.com`, " +
        "separated by commas, or `*`; a page needs a key as everybody, and cookies mean nothing. " +
        "No page reads `/metrics`, nor what a worker's own port tells"
    ),
    REQUESTS_PER_KEY: number(
      { unset: "1024", minimum: 1, maximum: 100_000 },
      "under way at the same time in one process, until their answers are sent; what is over " +
        "is answered with 429 and `Retry-After`. Of these, sixteen are at work and the others " +
        "wait: see [Security](security.md#what-one-key-can-take)"
    ),
    // Each costs some kilobytes, a connection, and a descriptor.
    LISTENERS: number(
      { unset: "4000", minimum: 1, maximum: 1_000_000 },
      "who listen to [live events](live-events.md) or wait for a status in one process at the " +
        "same time; what is over is answered with 503 and `Retry-After`. " +
        "`VERBATIM_CONNECTIONS` must have room for them"
    ),
    LISTENERS_PER_WORKSPACE: number(
      { unset: "2000", minimum: 1, maximum: 1_000_000 },
      "of these, those of one workspace; what is over is answered with 429 and `Retry-After`"
    ),
    LISTENERS_PER_KEY: number(
      { unset: "1000", minimum: 1, maximum: 1_000_000 },
      "of these, those with one key; `VERBATIM_REQUESTS_PER_KEY` counts them too"
    ),
    TRANSCRIBE_CONCURRENCY: number(
      { unset: { words: "number of cores" }, minimum: 1, maximum: 1_024 },
      "transcriptions of this process at the same time, and as many summaries"
    ),
    // A process sends no more webhooks at a time, whoever they are for.
    ORIGIN_CONCURRENCY: number(
      { unset: "4", minimum: 1, maximum: 64 },
      "downloads of one workspace from one host, or its webhooks to one, at a time; up to 64 " +
        "where all webhooks go to one receiver that can take it"
    ),
    CONSOLE: flag("true", "whether the API has its [console](console.md) at `/console`"),
    METRICS: flag(
      "false",
      "whether this process tells its [metrics](metrics.md) at `GET /metrics`"
    ),
    METRICS_TOKEN: text(
      { unset: "", expected: "16 to 512 visible ASCII characters" },
      "what a reader of the metrics sends as a bearer token; without one, every caller who " +
        "reaches the address is answered, and the start warns of it unless it is this machine's own"
    ),
    DATA_DIR: text({ unset: ".verbatim" }, "what must be kept, where no other place is named"),
    CACHE_DIR: text(
      { unset: { words: "the user's cache folder + `/verbatim`" } },
      "models and unpacked engines, which may be deleted"
    ),
    LOG_FORMAT: text(
      {
        unset: { words: "`pretty` on a terminal, else `json`" },
        expected: "pretty, json, or logfmt"
      },
      "the form of the log, which goes to the standard error"
    ),
    LOG_LEVEL: text(
      { unset: "info", expected: "trace, debug, info, warn, error, fatal, or none" },
      "what is less than that is not logged"
    )
  }
} as const satisfies Table

const kept = {
  heading: "What must be kept",
  variables: {
    DATABASE_URL: text(
      {
        unset: { words: "`sqlite:<data dir>/verbatim.db`" },
        expected: "sqlite:<file>, postgres://<user>:<password>@<host>/<database>, or memory:"
      },
      "`sqlite:<file>`, `postgres://user:password@host/database` for many machines, `memory:` " +
        "for tests"
    ),
    DATABASE_SCHEMA: text(
      {
        unset: { words: "the first of the role's `search_path`" },
        expected: SchemaName.schemaForm
      },
      "of Postgres: the schema of the tables, made where it is missing"
    ),
    // A server allows a hundred by default, and there are other processes.
    DATABASE_CONNECTIONS: number(
      { unset: "10", minimum: 1, maximum: 1_000 },
      "of Postgres: sessions of one process (one that works on jobs keeps up to five more for " +
        "renewals and the ends of attempts)"
    ),
    DATABASE_CONNECT_SECONDS: number(
      { unset: "5", minimum: 1, maximum: 60 },
      "of Postgres: the time to open a session"
    ),
    // A lease is not trusted for longer than 25 s without a renewal.
    DATABASE_STATEMENT_SECONDS: number(
      { unset: "5", minimum: 1, maximum: 20 },
      "of Postgres: the time for a statement"
    ),
    MEDIA_URL: text(
      {
        unset: { words: "`file:<data dir>/media`" },
        expected: "file:<directory>, s3://<bucket> or s3://<bucket>/<folder>"
      },
      "`file:<folder>`, or `s3://bucket/folder` for processes on many machines"
    ),
    S3_ENDPOINT: text(
      { unset: { words: "Amazon's" }, expected: "a http or https URL without a user" },
      "another server that speaks S3"
    ),
    S3_REGION: text({ unset: "us-east-1" }, "the region that requests are signed for"),
    S3_ACCESS_KEY_ID: text(
      amazonDefault,
      "the account of the bucket; both keys or neither. Tested against a small server that " +
        "verifies signatures, not against Amazon's"
    ),
    S3_SECRET_ACCESS_KEY: text(amazonDefault, "its secret"),
    KEEP_MEDIA: flag("false", "whether media stays when its transcription has succeeded"),
    KEEP_FAILED_MEDIA: text(
      { unset: "7 days", expected: "a length of time such as 7 days" },
      "how long media of a failed transcription stays, so that it can be retried"
    ),
    RETENTION_MEDIA_DAYS: number(retentionDays, "days after the end of a job, then its media goes"),
    RETENTION_TRANSCRIPT_DAYS: number(retentionDays, "days, then transcript and summary go"),
    RETENTION_JOB_DAYS: number(retentionDays, "days, then the whole job goes; the ledger stays")
  }
} as const satisfies Table

export const serverParts = [running, kept] as const

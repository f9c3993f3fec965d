/** Defines all variables by section, in the order of the documentation page. */
import { dialectNames } from "@verbatim/adapters/openai"
import { SchemaName } from "@verbatim/adapters/sql"
import { ModelSource } from "@verbatim/adapters/whisper"
import { acceptableToken, retentionDayMax, secretMax } from "@verbatim/core/workspace"
import { flag, number, type Part, type Table, text, type Variable } from "./Variable.ts"

/** The names of the speech recognition and summary engines. */
export const transcriberNames = ["auto", "whisper", "openai", "pocketsphinx"] as const
export const summarizerNames = ["auto", "lexrank", "openai"] as const

const amazonDefault = { unset: { words: "the key that Amazon's tools find" } }

const retentionDays = { unset: { words: "none" }, minimum: 1, maximum: retentionDayMax }

const running = {
  heading: "The process",
  variables: {
    HOST: text({ unset: "127.0.0.1" }, "address to listen on"),
    PORT: number(
      {
        unset: "8787",
        minimum: 0,
        maximum: 65_535,
        platform: {
          name: "PORT",
          commands: (command) => command === "serve",
          when: " by `verbatim serve`"
        }
      },
      "port to listen on; `0` means any free port"
    ),
    ROLES: text(
      { unset: "http,worker", expected: "http, worker, or http,worker" },
      "what this process does; many processes can share one database"
    ),
    HEALTH_PORT: text(
      {
        unset: { words: "`8788`; if that port is taken, a free port, printed at the start" },
        expected: "a whole number from 0 to 65535, or off"
      },
      "port for `GET /health`, `GET /health/ready` and, if enabled, `GET /metrics` of a process " +
        "with only the role `worker`; `off` for none"
    ),
    // Connections are limited, because each takes a descriptor and a few kilobytes.
    CONNECTIONS: number(
      { unset: "8192", minimum: 1, maximum: 1_000_000 },
      "maximum number of open connections; further connections are closed"
    ),
    // The limit per address is high, because all connections come from one address if there is a
    // proxy.
    CONNECTIONS_PER_ADDRESS: number(
      { unset: "4096", minimum: 1, maximum: 1_000_000 },
      "maximum number of open connections from one address (IPv6: from one /64 network), or " +
        "from a proxy in front of the server; further connections are answered with 429"
    ),
    CORS_ORIGINS: text(
      {
        unset: { words: "none: browsers block pages from other origins" },
        expected: "*, or origins like https://app.example.com, without a path, separated by commas"
      },
      "origins whose pages can call the API from a browser, such as `https://app.example.com`, " +
        "separated by commas, or `*`; a page needs a key like every client, and cookies are " +
        "ignored. No page can read `/metrics` or a worker's own port"
    ),
    REQUESTS_PER_KEY: number(
      { unset: "1024", minimum: 1, maximum: 100_000 },
      "maximum number of concurrent requests with one key in one process; further requests are " +
        "answered with 429 and `Retry-After`. Sixteen requests are processed while the others " +
        "wait: see [Security](security.md#what-one-key-can-take)"
    ),
    // Subscribers are limited, because each takes a few kilobytes, a connection and a descriptor.
    LISTENERS: number(
      { unset: "4000", minimum: 1, maximum: 1_000_000 },
      "maximum number of clients that follow [live events](live-events.md) or wait for a status " +
        "in one process; further clients are answered with 503 and `Retry-After`. " +
        "`VERBATIM_CONNECTIONS` must be larger"
    ),
    LISTENERS_PER_WORKSPACE: number(
      { unset: "2000", minimum: 1, maximum: 1_000_000 },
      "maximum number of clients from one workspace that follow live events or wait for a " +
        "status; further clients are answered with 429 and `Retry-After`"
    ),
    LISTENERS_PER_KEY: number(
      { unset: "1000", minimum: 1, maximum: 1_000_000 },
      "maximum number of clients with one key that follow live events or wait for a status; " +
        "`VERBATIM_REQUESTS_PER_KEY` counts them too"
    ),
    TRANSCRIBE_CONCURRENCY: number(
      { unset: { words: "number of cores" }, minimum: 1, maximum: 1_024 },
      "maximum number of concurrent transcriptions in this process, and of concurrent summaries"
    ),
    PIECES_AT_ONCE: number(
      { unset: { words: "number of cores" }, minimum: 1, maximum: 1_024 },
      "maximum number of pieces of recordings that this process recognises at the same time, " +
        "across all its transcriptions"
    ),
    REUSE_PIECES: flag(
      "true",
      "whether the text of a piece is reused if identical audio is transcribed again in the " +
        "same workspace with the same settings"
    ),
    // The maximum is 64, because a process sends at most 64 webhooks concurrently to all receivers.
    ORIGIN_CONCURRENCY: number(
      { unset: "4", minimum: 1, maximum: 64 },
      "maximum number of concurrent downloads, or webhooks, between one workspace and one host; " +
        "set it to up to 64 if all webhooks go to one receiver that can handle them"
    ),
    CONSOLE: flag("true", "whether the API serves its [console](console.md) at `/console`"),
    GUIDE: flag("false", "whether the API serves this documentation at `/guide`"),
    MCP: flag("true", "whether agents can call the API [over MCP](mcp.md) at `/mcp`"),
    METRICS: flag(
      "false",
      "whether this process serves its [metrics](metrics.md) at `GET /metrics`"
    ),
    METRICS_TOKEN: text(
      { isSecret: true, unset: "", expected: "16 to 512 visible ASCII characters" },
      "bearer token for reading the metrics; if not set, anyone who can reach the address can " +
        "read the metrics, and the server logs a warning at the start unless the address is local"
    ),
    DATA_DIR: text(
      { unset: ".verbatim" },
      "directory for all persistent data that has no other configured location"
    ),
    CACHE_DIR: text(
      { unset: { words: "`verbatim` in the user's cache directory" } },
      "directory for models and unpacked engines; can be deleted"
    ),
    LOG_FORMAT: text(
      {
        unset: { words: "`pretty` on a terminal, else `json`" },
        expected: "pretty, json, or logfmt"
      },
      "format of the log, which is written to standard error"
    ),
    LOG_LEVEL: text(
      { unset: "info", expected: "trace, debug, info, warn, error, fatal, or none" },
      "minimum level of log lines"
    )
  }
} as const satisfies Table

const kept = {
  heading: "Storage",
  variables: {
    DATABASE_URL: text(
      {
        isSecret: true,
        unset: { words: "`sqlite:<data dir>/verbatim.db`" },
        expected: "sqlite:<file>, postgres://<user>:<password>@<host>/<database>, or memory:",
        // `verbatim transcribe` needs no database, and ignores this variable, which may name
        // another program's database.
        platform: { name: "DATABASE_URL", commands: (command) => command !== "transcribe" }
      },
      "location of the database: `sqlite:<file>`, `postgres://user:password@host/database` for " +
        "many machines, or `memory:` for tests"
    ),
    DATABASE_SCHEMA: text(
      {
        unset: { words: "the first schema of the role's `search_path`" },
        expected: SchemaName.schemaForm
      },
      "Postgres only: schema of the tables, created if missing"
    ),
    // The default is low, because Postgres allows a hundred connections by default, and other
    // processes need some of them.
    DATABASE_CONNECTIONS: number(
      { unset: "10", minimum: 1, maximum: 1_000 },
      "Postgres only: maximum number of sessions per process (a worker keeps up to five more " +
        "for renewing leases and ending attempts)"
    ),
    DATABASE_CONNECT_SECONDS: number(
      { unset: "5", minimum: 1, maximum: 60 },
      "Postgres only: timeout for opening a session"
    ),
    // The maximum is shorter than 25 s, because a lease is trusted for that long without a renewal.
    DATABASE_STATEMENT_SECONDS: number(
      { unset: "5", minimum: 1, maximum: 20 },
      "Postgres only: timeout for a statement"
    ),
    MIGRATE: flag(
      "true",
      "whether a process that opens an older database migrates it; if not, the process refuses " +
        "to start until `verbatim migrate` has run"
    ),
    MEDIA_URL: text(
      {
        unset: { words: "`file:<data dir>/media`" },
        expected: "file:<directory>, s3://<bucket> or s3://<bucket>/<folder>"
      },
      "location of the media: `file:<folder>`, or `s3://bucket/folder` for processes on many " +
        "machines"
    ),
    S3_ENDPOINT: text(
      { unset: { words: "Amazon's" }, expected: "an http or https URL without a user" },
      "URL of an S3-compatible server other than Amazon's"
    ),
    S3_REGION: text({ unset: "us-east-1" }, "region that requests are signed for"),
    S3_ACCESS_KEY_ID: text(
      amazonDefault,
      "access key of the bucket; set both keys or neither. Tested with a small server that " +
        "verifies signatures, but not with Amazon's servers"
    ),
    S3_SECRET_ACCESS_KEY: text(
      { ...amazonDefault, isSecret: true },
      "secret key that belongs to the access key"
    ),
    KEEP_MEDIA: flag("false", "whether media is kept after its transcription has succeeded"),
    KEEP_FAILED_MEDIA: text(
      { unset: "7 days", expected: "a length of time such as 7 days" },
      "how long media of a failed transcription is kept, so that it can be retried"
    ),
    RETENTION_MEDIA_DAYS: number(
      retentionDays,
      "days from the end of a job until its media is deleted"
    ),
    RETENTION_TRANSCRIPT_DAYS: number(
      retentionDays,
      "days from the end of a job until its transcript and summary are deleted"
    ),
    RETENTION_JOB_DAYS: number(
      retentionDays,
      "days from the end of a job until the whole job is deleted; its ledger entries stay"
    )
  }
} as const satisfies Table

const serverParts = [running, kept] as const

const oneOf = (names: ReadonlyArray<string>): string => `one of ${names.join(", ")}`

const serverUrl = "a URL like https://api.openai.com/v1"

const serverKey = "at most 512 printable ASCII characters without spaces"

const engines = {
  heading: "Engines",
  variables: {
    TRANSCRIBER: text(
      {
        unset: "auto",
        expected: `one or more of ${transcriberNames.join(", ")}, in order, separated by commas`
      },
      "engines in order of preference, such as `whisper,openai,pocketsphinx`: the first engine " +
        "that is ready and accepts the work is used"
    ),
    SUMMARIZER: text(
      { unset: "auto", expected: oneOf(summarizerNames) },
      "engine for summaries: `openai` or `lexrank`; `auto` is `openai` if a model for summaries " +
        "is set"
    ),
    MODEL: text(
      { unset: "auto", expected: "auto, or a speech model from verbatim engines list" },
      "model for speech recognition; `auto` chooses the installed model that fits the " +
        "recording's language and the machine's memory and cores; with an unknown model, the " +
        "server does not start"
    ),
    MODELS: text({ unset: { words: "`models` in the cache directory" } }, "directory of models"),
    MODEL_SOURCE: text(
      { unset: "hub:https://huggingface.co", expected: ModelSource.expected },
      "where models are downloaded from: a hub, or the URL of a directory of models"
    ),
    OPENAI_BASE_URL: text(
      {
        unset: "https://api.openai.com/v1",
        expected: serverUrl,
        platform: {
          name: "OPENAI_BASE_URL",
          unless: "OPENAI_API_KEY",
          when: ", unless `VERBATIM_OPENAI_API_KEY` is set"
        }
      },
      "URL of any OpenAI-compatible server, even a private one: `http://localhost:11434/v1`"
    ),
    OPENAI_API_KEY: text(
      {
        isSecret: true,
        unset: { words: "none" },
        expected: serverKey,
        // The platform's key must not be sent to any server other than the one that issued it.
        platform: {
          name: "OPENAI_API_KEY",
          unless: "OPENAI_BASE_URL",
          when: ", unless `VERBATIM_OPENAI_BASE_URL` is set"
        }
      },
      "key for the server at `VERBATIM_OPENAI_BASE_URL`"
    ),
    OPENAI_TRANSCRIPTION_MODEL: text(
      { unset: "whisper-1", expected: "the name of a model" },
      "model for speech recognition on the OpenAI-compatible server"
    ),
    OPENAI_DIALECT: text(
      { unset: "openai", expected: oneOf(dialectNames) },
      "dialect of the OpenAI-compatible server: `whisper.cpp` or `faster-whisper` for those servers"
    ),
    // A megabyte has 1,000,000 bytes here. A server may count 1,048,576 bytes, and the upload must
    // stay below its limit.
    OPENAI_UPLOAD_MB: number(
      { unset: "25", minimum: 1, maximum: 1_000 },
      "maximum size of an upload to the OpenAI-compatible server; longer audio is cut at quiet " +
        "moments"
    ),
    OPENAI_SUMMARY_MODEL: text(
      { unset: { words: "`gpt-4o-mini`" }, expected: "the name of a model" },
      "model for summaries on the OpenAI-compatible server"
    ),
    // The range of sizes covers context windows from 2,048 to a million tokens.
    OPENAI_SUMMARY_PART_KB: number(
      { unset: "12", minimum: 2, maximum: 4_096 },
      "maximum size of the text in one request for a summary; 1,000 tokens are about 4 KB of " +
        "English"
    ),
    OPENAI_SUMMARY_BASE_URL: text(
      { unset: { words: "`VERBATIM_OPENAI_BASE_URL`" }, expected: serverUrl },
      "URL of another OpenAI-compatible server for summaries"
    ),
    OPENAI_SUMMARY_API_KEY: text(
      {
        isSecret: true,
        unset: { words: "none, or the other key if the address is the same" },
        expected: serverKey
      },
      "key for the server for summaries; the other key is never sent there"
    )
  }
} as const satisfies Table

const requests = {
  heading: "Requests and webhooks",
  variables: {
    // 100 GB is a year of speech, so a larger number is a typo.
    MAX_FILE_MB: number(
      { unset: "200", minimum: 1, maximum: 100_000 },
      "maximum size of an uploaded or downloaded file; a whole request can be 4 MB larger"
    ),
    TEMPLATES: text(
      { unset: { words: "none" } },
      "JSON file that maps template names to parameters; a request's own parameters take " +
        "precedence"
    ),
    ALLOW_NETWORKS: text(
      { unset: "", expected: "networks like 10.0.0.0/8 or fd00::/8, separated by commas" },
      "private networks that downloads and webhooks can reach, such as `10.0.0.0/8`"
    ),
    WEBHOOK_SECRET: text(
      {
        isSecret: true,
        unset: { words: "none" },
        expected: `whsec_ and base64 of 24 to 64 bytes, or up to ${secretMax} with spaces`
      },
      "secret that signs webhooks (Standard Webhooks): `whsec_…`, or several separated by " +
        "spaces during a rotation; workspaces can have their own"
    )
  }
} as const satisfies Table

const eitherKey = {
  isSecret: true,
  unset: { words: "none; if neither key is set, both are created and printed" },
  expected: acceptableToken
}

const firstStart = {
  heading: "The first start",
  variables: {
    BOOTSTRAP_MANAGEMENT_KEY: text(eitherKey, "management key of a new store, for presets"),
    BOOTSTRAP_INFERENCE_KEY: text(eitherKey, "inference key of a new store, for transcriptions"),
    BOOTSTRAP_OPERATOR_KEY: text(
      { isSecret: true, unset: { words: "none" }, expected: acceptableToken },
      "operator key, which manages workspaces. At each start, the key is added if it is new; a " +
        "revoked key stays revoked"
    ),
    // Ten million minutes are nineteen years, and such a number is still exact in milliseconds.
    BOOTSTRAP_MINUTES: number(
      { unset: "600", minimum: 0, maximum: 10_000_000, hasDecimals: true },
      "initial minutes in a new store; decimals are allowed"
    )
  }
} as const satisfies Table

const workParts = [engines, requests, firstStart] as const

const endpointForm = "a URL like http://localhost:4318"

const ownEndpoint = (signal: string) =>
  ({
    name: `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`,
    unset: { words: "the path below the common endpoint" },
    does: `complete URL for ${signal}, used unchanged`,
    expected: endpointForm
  }) as const

const exporter = (signal: string) =>
  ({
    name: `OTEL_${signal.toUpperCase()}_EXPORTER`,
    unset: "otlp",
    does: `\`none\`, or an exporter other than \`otlp\`, turns off ${signal}`,
    expected: "names of exporters, separated by commas"
  }) as const

/** The section with OpenTelemetry's own variables. */
export const telemetryPart: Part = {
  heading: "Telemetry",
  prefix: "",
  variables: [
    {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT",
      unset: "",
      does: "URL of the collector; `/v1/traces`, `/v1/metrics` and `/v1/logs` are appended",
      expected: endpointForm
    },
    ...["traces", "metrics", "logs"].map(ownEndpoint),
    {
      name: "OTEL_EXPORTER_OTLP_PROTOCOL",
      unset: "http/protobuf",
      does: "protocol; `grpc` is not supported",
      expected: "http/protobuf or http/json (a collector accepts both at port 4318)"
    },
    {
      name: "OTEL_EXPORTER_OTLP_HEADERS",
      isSecret: true,
      unset: "",
      does: "headers of each request, such as `api-key=secret,tenant=a%20b`",
      expected: "names and values like key=value,other=value"
    },
    ...["traces", "metrics", "logs"].map(exporter),
    {
      name: "OTEL_SERVICE_NAME",
      unset: "verbatim",
      does: "name of the service"
    },
    {
      name: "OTEL_RESOURCE_ATTRIBUTES",
      unset: "",
      does: "additional attributes of the process",
      expected: "names and values like deployment.environment.name=test,team=speech"
    },
    {
      name: "OTEL_SDK_DISABLED",
      unset: "false",
      does: "`true` turns off telemetry, whatever else is set",
      expected: "true or false"
    }
  ]
}

const all = [...serverParts, ...workParts] as const

type NameIn<Each> = Each extends Table ? keyof Each["variables"] & string : never

/** A variable's name, without `VERBATIM_`. */
export type Name = NameIn<(typeof all)[number]>

/** The sections with Verbatim's own variables. */
export const parts: ReadonlyArray<Part> = all.map(({ heading, variables }: Table) => ({
  heading,
  variables: Object.entries(variables).map(([name, row]) => ({ name, ...row }))
}))

/**
 * All sections with their variables, for the help text on the terminal and the documentation page.
 */
export const allParts: ReadonlyArray<Part> = [...parts, telemetryPart]

/** Returns a variable's full name. */
export const environmentName = (name: string, { prefix }: Partial<Part> = {}): string =>
  `${prefix ?? "VERBATIM_"}${name}`

const byName: ReadonlyMap<string, Variable> = new Map(
  allParts.flatMap((part) =>
    part.variables.map((variable) => [environmentName(variable.name, part), variable])
  )
)

/** Returns the row of the variable with this full name. */
export const variableOf = (name: string): Variable =>
  byName.get(name) ?? { name, unset: "", does: "" }

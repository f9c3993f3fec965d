/** All variables of an operator, part by part, in the order of the page. */
import { dialectNames } from "@verbatim/adapters/openai"
import { SchemaName } from "@verbatim/adapters/sql"
import { ModelSource } from "@verbatim/adapters/whisper"
import { acceptableToken, retentionDayMax, secretMax } from "@verbatim/core/workspace"
import { flag, number, type Part, type Table, text, type Variable } from "./Variable.ts"

/** The engines that an operator can name. */
export const transcriberNames = ["auto", "whisper", "openai", "pocketsphinx"] as const
export const summarizerNames = ["auto", "lexrank", "openai"] as const

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
      "engines in order of preference, such as `whisper,openai,pocketsphinx`: the first that " +
        "is ready and takes the work"
    ),
    SUMMARIZER: text(
      { unset: "auto", expected: oneOf(summarizerNames) },
      "`openai` or `lexrank`; `auto` is `openai` where a model for summaries is named"
    ),
    MODEL: text(
      { unset: "base", expected: "a model for speech, from verbatim engines list" },
      "the model that recognises; the server does not start with one that does not exist"
    ),
    MODELS: text({ unset: { words: "`models` in the cache" } }, "the directory of models"),
    MODEL_SOURCE: text(
      { unset: "hub:https://huggingface.co", expected: ModelSource.expected },
      "where models are fetched: a hub, or the URL of a directory of models"
    ),
    OPENAI_BASE_URL: text(
      { unset: "https://api.openai.com/v1", expected: serverUrl },
      "any server that speaks the protocol, even a private one: `http://localhost:11434/v1`"
    ),
    OPENAI_API_KEY: text({ unset: { words: "none" }, expected: serverKey }, "its key"),
    OPENAI_TRANSCRIPTION_MODEL: text(
      { unset: "whisper-1", expected: "the name of a model" },
      "the model that recognises there"
    ),
    OPENAI_DIALECT: text(
      { unset: "openai", expected: oneOf(dialectNames) },
      "`whisper.cpp` or `faster-whisper` for those servers"
    ),
    // The megabyte of the file systems: the smaller one is below a limit however that is read.
    OPENAI_UPLOAD_MB: number(
      { unset: "25", minimum: 1, maximum: 1_000 },
      "longer audio is cut where it is quiet"
    ),
    OPENAI_SUMMARY_MODEL: text(
      { unset: { words: "`gpt-4o-mini`" }, expected: "the name of a model" },
      "the model that sums up"
    ),
    // From a window of 2,048 tokens to one of a million.
    OPENAI_SUMMARY_PART_KB: number(
      { unset: "12", minimum: 2, maximum: 4_096 },
      "the text in one request; about 4 KB of English for 1,000 tokens"
    ),
    OPENAI_SUMMARY_BASE_URL: text(
      { unset: { words: "`VERBATIM_OPENAI_BASE_URL`" }, expected: serverUrl },
      "where summaries are made elsewhere"
    ),
    OPENAI_SUMMARY_API_KEY: text(
      {
        unset: { words: "none; the other key where the address is the same" },
        expected: serverKey
      },
      "the key of that server; the other key does not go there"
    )
  }
} as const satisfies Table

const requests = {
  heading: "Requests and webhooks",
  variables: {
    // 100 GB is a year of speech; more is a typo.
    MAX_FILE_MB: number(
      { unset: "200", minimum: 1, maximum: 100_000 },
      "the largest file, uploaded or behind a URL; a whole request may have 4 MB more"
    ),
    TEMPLATES: text(
      { unset: { words: "none" } },
      "a JSON file: template name → parameters; those of a request win"
    ),
    ALLOW_NETWORKS: text(
      { unset: "", expected: "networks like 10.0.0.0/8 or fd00::/8, separated by commas" },
      "private networks that downloads and webhooks may reach, such as `10.0.0.0/8`"
    ),
    WEBHOOK_SECRET: text(
      {
        unset: { words: "none" },
        expected: `whsec_ and base64 of 24 to 64 bytes, or ${secretMax} such at most, with spaces`
      },
      "signs webhooks (Standard Webhooks): `whsec_…`, several separated by spaces while " +
        "rotating; workspaces may have their own"
    )
  }
} as const satisfies Table

const eitherKey = {
  unset: { words: "none; without both keys, both are made and printed" },
  expected: acceptableToken
}

const firstStart = {
  heading: "The first start",
  variables: {
    BOOTSTRAP_MANAGEMENT_KEY: text(eitherKey, "the key for presets of a fresh store"),
    BOOTSTRAP_INFERENCE_KEY: text(eitherKey, "the key for transcriptions of a fresh store"),
    BOOTSTRAP_OPERATOR_KEY: text(
      { unset: { words: "none" }, expected: acceptableToken },
      "a key that manages workspaces. It is looked for at every start, and added where it is " +
        "new; one that was revoked stays revoked"
    ),
    // Ten million minutes are nineteen years, and still exact in milliseconds.
    BOOTSTRAP_MINUTES: number(
      { unset: "600", minimum: 0, maximum: 10_000_000, hasDecimals: true },
      "the minutes of a fresh store; they may have decimals"
    )
  }
} as const satisfies Table

const workParts = [engines, requests, firstStart] as const

const endpointForm = "a URL like http://localhost:4318"

const ownEndpoint = (signal: string) =>
  ({
    name: `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`,
    unset: { words: "the place below the endpoint of all" },
    does: `the whole URL for ${signal}, used as it is`,
    expected: endpointForm
  }) as const

const exporter = (signal: string) =>
  ({
    name: `OTEL_${signal.toUpperCase()}_EXPORTER`,
    unset: "otlp",
    does: `\`none\`, or another exporter than \`otlp\`, leaves ${signal} out`,
    expected: "names of exporters, separated by commas"
  }) as const

/** As they stand on the page. */
export const telemetryPart: Part = {
  heading: "Telemetry",
  prefix: "",
  variables: [
    {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT",
      unset: "",
      does: "the collector; `/v1/traces`, `/v1/metrics` and `/v1/logs` are added",
      expected: endpointForm
    },
    ...["traces", "metrics", "logs"].map(ownEndpoint),
    {
      name: "OTEL_EXPORTER_OTLP_PROTOCOL",
      unset: "http/protobuf",
      does: "how it is spoken to; `grpc` is refused",
      expected: "http/protobuf or http/json (a collector takes both at port 4318)"
    },
    {
      name: "OTEL_EXPORTER_OTLP_HEADERS",
      unset: "",
      does: "headers of each request, such as `api-key=secret,tenant=a%20b`",
      expected: "names and values like key=value,other=value"
    },
    ...["traces", "metrics", "logs"].map(exporter),
    {
      name: "OTEL_SERVICE_NAME",
      unset: "verbatim",
      does: "what the process is called"
    },
    {
      name: "OTEL_RESOURCE_ATTRIBUTES",
      unset: "",
      does: "what else is said of the process",
      expected: "names and values like deployment.environment.name=test,team=speech"
    },
    {
      name: "OTEL_SDK_DISABLED",
      unset: "false",
      does: "`true` sends nothing, whatever else is set",
      expected: "true or false"
    }
  ]
}

const expectations: ReadonlyMap<string, string> = new Map(
  telemetryPart.variables.map(({ expected = "any text", name }) => [name, expected])
)

/** What one of them may be, to complete the sentence "OTEL_… must be …". */
export const expectedOf = (name: string): string => expectations.get(name) ?? "any text"

const all = [...serverParts, ...workParts] as const

type NameIn<Each> = Each extends Table ? keyof Each["variables"] & string : never

/** The name of a variable, without `VERBATIM_`. */
export type Name = NameIn<(typeof all)[number]>

/** The parts with our own variables. */
export const parts: ReadonlyArray<Part> = all.map(({ heading, variables }: Table) => ({
  heading,
  variables: Object.entries(variables).map(([name, row]) => ({ name, ...row }))
}))

/** Everything that is read, for whoever shows it. */
export const allParts: ReadonlyArray<Part> = [...parts, telemetryPart]

const byName: ReadonlyMap<string, Variable> = new Map(
  parts.flatMap(({ variables }) => variables.map((variable) => [variable.name, variable]))
)

/** The variable of that name. */
export const variableOf = (name: Name): Variable =>
  byName.get(name) ?? { name, unset: "", does: "" }

/** Its name in an environment. */
export const environmentName = (name: string, { prefix }: Partial<Part> = {}): string =>
  `${prefix ?? "VERBATIM_"}${name}`

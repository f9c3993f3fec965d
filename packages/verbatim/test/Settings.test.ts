/**
 * Every variable of an operator, set to an unusual value, and what a client then sees over HTTP. A
 * new variable needs a row here, or a reason why no client sees it at once.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { HttpServer } from "effect/http"
import { configuration } from "#src/Configuration"
import { inferenceKey, serving } from "./Serving.ts"

interface Call {
  readonly key?: string
  readonly body?: FormData | string
}

/** Asks the server that runs, at the address where it listens. */
const ask = (path: string, { body, key = inferenceKey }: Call = {}) =>
  HttpServer.addressFormattedWith((origin) => {
    const json = typeof body === "string" ? { "content-type": "application/json" } : {}
    return Effect.promise(async () => {
      const response = await fetch(origin + path.replaceAll("~", origin), {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${key}`, ...json },
        ...(body === undefined
          ? {}
          : { body: body instanceof FormData ? body : body.replaceAll("~", origin) })
      })
      const text = await response.text()
      return { origin, status: response.status, body: JSON.parse(text) }
    })
  })

const form = (parameters: Readonly<Record<string, string>>, byteLength = 1000): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(parameters)) data.set(name, value)
  data.set("file", new File([new Uint8Array(byteLength)], "a.mp3"))
  return data
}

const create = (body: FormData | string) => ask("/v1/transcribe", { body })

/** Removed at the end. */
const folder = mkdtempSync(join(tmpdir(), "verbatim-settings-"))
const templates = join(folder, "templates.json")
writeFileSync(templates, JSON.stringify({ unusual: { callback_id: "of the template" } }))

type Seen = Effect.Effect<unknown, never, HttpServer.HttpServer>

/** An unusual value, what a client sees with it, and what that is with the default. */
interface Row {
  readonly value: string
  readonly seen: Seen
  readonly expected: unknown
  readonly otherwise: unknown
}

const listed = (key: string): Seen =>
  Effect.map(ask("/v1/presets", { key }), ({ status }) => status)

const uploadedInto = (directory: string): Seen =>
  Effect.gen(function* () {
    const { body } = yield* create(form({}))
    return existsSync(directory) && readdirSync(directory).includes(body.id)
  })

const [managers, callers] = [
  "unusual-management-key-0123456789",
  "unusual-inference-key-01234567890"
]

const rows: Readonly<Record<string, Row>> = {
  HOST: {
    value: "127.0.0.2",
    seen: Effect.map(ask("/health"), ({ origin }) => origin.replace(/:\d+$/, "")),
    expected: "http://127.0.0.2",
    otherwise: "http://127.0.0.1"
  },
  PORT: {
    value: "48787",
    seen: Effect.map(ask("/health"), ({ origin }) => origin.endsWith(":48787")),
    expected: true,
    otherwise: false
  },
  MAX_FILE_MB: {
    value: "2",
    seen: Effect.map(create(form({}, 2_097_153)), ({ body, status }) => [status, body.detail]),
    expected: [413, "File size exceeds 2MB limit"],
    otherwise: [200, undefined]
  },
  TEMPLATES: {
    value: templates,
    seen: Effect.map(create(form({ template: "unusual" })), ({ body }) => body.callback_id),
    expected: "of the template",
    otherwise: undefined
  },
  ALLOW_NETWORKS: {
    value: "127.0.0.0/8",
    seen: Effect.map(create('{"url":"~/openapi.json"}'), ({ body }) => body.detail),
    expected: "Unsupported file extension: .json",
    otherwise: "Invalid URL or file not accessible"
  },
  BOOTSTRAP_MINUTES: {
    value: "77.5",
    seen: Effect.map(create(form({})), ({ body }) => body.balance_minutes),
    expected: "77.50",
    otherwise: "600.00"
  },
  BOOTSTRAP_MANAGEMENT_KEY: {
    value: managers,
    seen: listed(managers),
    expected: 200,
    otherwise: 401
  },
  BOOTSTRAP_INFERENCE_KEY: { value: callers, seen: listed(callers), expected: 200, otherwise: 401 },
  DATA_DIR: {
    value: join(folder, "kept"),
    seen: Effect.suspend(() => uploadedInto(join(folder, "kept", "media"))),
    expected: true,
    otherwise: false
  },
  MEDIA_URL: {
    value: `file:${join(folder, "elsewhere")}`,
    seen: Effect.suspend(() => uploadedInto(join(folder, "elsewhere"))),
    expected: true,
    otherwise: false
  },
  DATABASE_URL: {
    value: `sqlite:${join(folder, "unusual.db")}`,
    seen: Effect.map(create(form({})), () => existsSync(join(folder, "unusual.db"))),
    expected: true,
    otherwise: false
  }
}

const engines = "an engine or a model shows it, not the answer of a request"
const postgres = "a database server shows it"
const worker = "it says how work is done, after the answer"
const bucket = "a bucket shows it"
const crowd = "many connections at once show it"

/** Variables without a row, and why. */
const unseen: Readonly<Record<string, string>> = {
  CACHE_DIR: engines,
  MODEL: engines,
  MODELS: engines,
  MODEL_SOURCE: engines,
  TRANSCRIBER: engines,
  SUMMARIZER: engines,
  OPENAI_API_KEY: engines,
  OPENAI_BASE_URL: engines,
  OPENAI_TRANSCRIPTION_MODEL: engines,
  OPENAI_DIALECT: engines,
  OPENAI_UPLOAD_MB: engines,
  OPENAI_SUMMARY_API_KEY: engines,
  OPENAI_SUMMARY_BASE_URL: engines,
  OPENAI_SUMMARY_MODEL: engines,
  OPENAI_SUMMARY_PART_KB: engines,
  DATABASE_CONNECTIONS: postgres,
  DATABASE_CONNECT_SECONDS: postgres,
  DATABASE_STATEMENT_SECONDS: postgres,
  CONNECTIONS: crowd,
  CONNECTIONS_PER_ADDRESS: crowd,
  REQUESTS_PER_KEY: crowd,
  ROLES: "a process without the role `http` answers nobody",
  TRANSCRIBE_CONCURRENCY: worker,
  ORIGIN_CONCURRENCY: worker,
  KEEP_MEDIA: worker,
  KEEP_FAILED_MEDIA: worker,
  WEBHOOK_SECRET: "the receiver of a webhook sees it: Signing.test.ts",
  S3_ENDPOINT: bucket,
  S3_REGION: bucket,
  S3_ACCESS_KEY_ID: bucket,
  S3_SECRET_ACCESS_KEY: bucket
}

/** The names of all variables that the configuration asks for. */
const asked = Effect.gen(function* () {
  const names = new Set<string>()
  const provider = ConfigProvider.make((path) =>
    Effect.sync(() => {
      names.add(path.join("_"))
      return undefined
    })
  )
  yield* configuration.parse(provider)
  return [...names].filter((name) => name.startsWith("VERBATIM_"))
})

const see = (settings: Readonly<Record<string, string>>, seen: Seen) =>
  seen.pipe(Effect.provide(serving({ VERBATIM_ALLOW_NETWORKS: "", ...settings })), Effect.scoped)

describe("a setting", () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.effect("has a row here, or a reason", () =>
    Effect.gen(function* () {
      const known = [...Object.keys(rows), ...Object.keys(unseen)].map((name) => `VERBATIM_${name}`)
      assert.deepStrictEqual((yield* asked).toSorted(), known.toSorted())
    })
  )

  for (const [name, { expected, otherwise, seen, value }] of Object.entries(rows)) {
    it.live(`is seen over HTTP: VERBATIM_${name}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* see({}, seen), otherwise)
        assert.deepStrictEqual(yield* see({ [`VERBATIM_${name}`]: value }, seen), expected)
      })
    )
  }
})

/**
 * Tests that a response has `Retry-After` if a store failed temporarily, and does not have it if
 * our code has a bug.
 */

import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import {
  JobStoreError,
  MediaStoreError,
  overdue,
  PresetStoreError,
  WorkerRegistry,
  WorkerRegistryError,
  WorkQueue,
  WorkspaceStoreError
} from "@verbatim/core/ports"
import {
  ApiKeys,
  Corrections,
  EventStreams,
  Jobs,
  LastUsedTracker,
  OperatorKeys,
  OperatorKeyUnknown,
  Presets,
  RequestLimits,
  SpeechCalls,
  Submissions,
  Usage,
  WorkspaceContended,
  Workspaces
} from "@verbatim/core/services"
import { KeyHash, noLimits, OperatorKey } from "@verbatim/core/workspace"
import { Authenticator, Health, routes } from "@verbatim/http"
import { apiKeyId, instant, userId, workspaceId } from "@verbatim/testkit/samples"
import { Cause, Effect, Layer, Logger, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { SqlError } from "effect/sql"
import { retryHeaders } from "#src/serve/edge/FailureLog"

const secret = "/var/lib/secret: SELECT * FROM key"
const cause = new Error(secret)

const principal = {
  keyId: apiKeyId(1),
  kind: "management" as const,
  workspaceId: workspaceId(1),
  userId: userId(1),
  workspaceLimits: noLimits
}

const operatorKey = OperatorKey.make({
  id: apiKeyId(2),
  hash: KeyHash.make("0".repeat(64)),
  hint: "vbo_1234…",
  name: null,
  createdAt: instant,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null
})

const unavailable = (reason: PresetStoreError["reason"]) =>
  Effect.fail(new PresetStoreError({ operation: "append", reason }))

/** A preset store whose behaviour depends on the requested slug. */
const fail = ({ slug }: { readonly slug: string }) => {
  if (slug === "contended") return unavailable({ _tag: "Contended" })
  if (slug === "superseded") return unavailable({ _tag: "Superseded" })
  if (slug === "archived") return unavailable({ _tag: "Archived" })
  if (slug === "overdue") return unavailable({ _tag: "Unavailable", cause: overdue })
  if (slug === "homeless") return unavailable({ _tag: "WorkspaceMissing" })
  if (slug === "broken") return Effect.die(cause)
  return unavailable({ _tag: "Unavailable", cause })
}

const presets = Layer.mock(Presets)({
  create: fail,
  get: fail,
  list: () => unavailable({ _tag: "Unavailable", cause }),
  versions: fail,
  versionsText: fail,
  version: fail,
  diff: fail,
  designate: fail,
  revise: fail,
  designations: fail,
  pin: ({ preset }) => fail({ slug: preset })
})

const unreachable = Effect.fail(new WorkspaceStoreError({ operation: "findKey", cause }))

/** A key store that fails to look up the key `unknowable`. */
const apiKeys = Layer.mock(ApiKeys)({
  authenticate: (token) =>
    Redacted.value(token) === "unknowable" ? unreachable : Effect.succeed(principal),
  keys: () => unreachable,
  revoke: () => unreachable
})
const operators = Layer.mock(OperatorKeys)({
  authenticate: (token) => {
    if (Redacted.value(token) === "unknowable") return unreachable
    const isOperator = Redacted.value(token) === "operator"
    return isOperator ? Effect.succeed(operatorKey) : Effect.fail(new OperatorKeyUnknown())
  }
})
const keyUses = Layer.mock(LastUsedTracker)({
  note: () => Effect.void,
  noteOperator: () => Effect.void
})
const workspaces = Layer.mock(Workspaces)({
  accounts: () => unreachable,
  account: () => unreachable,
  ensure: () => Effect.die(cause),
  remove: (id) =>
    id === workspaceId(2) ? Effect.fail(new WorkspaceContended()) : Effect.die(cause)
})

const usage = Layer.mock(Usage)({ read: () => unreachable, ledger: () => unreachable })
const requestLimits = Layer.mock(RequestLimits)({ admit: () => Effect.void })
const jobs = Layer.mock(Jobs)({
  statusText: (_, id) => {
    const operation = "find"
    if (id === "down") {
      return Effect.fail(new JobStoreError({ operation, reason: { _tag: "Unavailable", cause } }))
    }
    return id === "unreadable"
      ? Effect.fail(new JobStoreError({ operation, reason: { _tag: "Unreadable", cause } }))
      : Effect.die(cause)
  }
})
const corrections = Layer.mock(Corrections)({})
const submissions = Layer.mock(Submissions)({
  submit: () =>
    Effect.fail(new MediaStoreError({ operation: "put", reason: { _tag: "Unavailable", cause } }))
})
const speechCalls = Layer.mock(SpeechCalls)({ accept: () => Effect.die(cause) })
const health = Layer.mock(Health)({ report: Effect.die(cause) })
const queue = Layer.mock(WorkQueue)({ pendingCounts: Effect.die(cause) })
const registry = Layer.mock(WorkerRegistry)({
  survey: Effect.fail(new WorkerRegistryError({ operation: "survey", cause })),
  ended: Effect.succeed([])
})

/** Sends a request to a server in this process, and collects the logged lines. */
const sendRequest = (line: string, key = "known") =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const logged: Array<string> = []
      const logger = Logger.make(({ cause, logLevel, message }) => {
        // The line that each request logs is left out, because it does not mention failures.
        if (logLevel !== "Error") return
        logged.push(`${message} ${Cause.pretty(cause)}`)
      })
      const app = routes().pipe(
        Layer.provide(Authenticator.keys),
        Layer.provide(
          Layer.mergeAll(apiKeys, operators, keyUses, requestLimits, usage, workspaces)
        ),
        Layer.provide(Layer.mergeAll(presets, jobs, corrections, Layer.mock(EventStreams)({}))),
        Layer.provide(Layer.mergeAll(speechCalls, submissions, health, queue, registry)),
        Layer.provide(HttpServer.layerServices),
        Layer.provideMerge(Logger.layer([logger]))
      )
      return { logged, ...HttpRouter.toWebHandler(app, { disableLogger: true }) }
    }),
    ({ handler, logged }) =>
      Effect.promise(async () => {
        const [method = "", path = ""] = line.split(" ")
        const type = path.startsWith("/v1/audio/") ? "multipart/form-data; boundary=b" : ""
        const headers = { authorization: `Bearer ${key}`, "content-type": type }
        const answer = await handler(new Request(`http://localhost${path}`, { method, headers }))
        return {
          status: answer.status,
          retryAfter: answer.headers.get("retry-after"),
          text: await answer.text(),
          logged: logged.join("\n")
        }
      }),
    ({ dispose }) => Effect.promise(dispose)
  )

const preset = (code: number, message: string, user: string | null = userId(1)) =>
  JSON.stringify({ error: { code, message }, gateway_metadata: null, user_id: user })

const failure = "Internal Server Error"
const speech = `{"error":{"message":"${failure}","type":"server_error","param":null,"code":null}}`
const detail = JSON.stringify({ detail: failure })
const conflict = "Resource conflict. Please try again later."

/** Each row has the part that fails, the method and path, the key, the status, and the body. */
const rows: ReadonlyArray<readonly [string, string, string, number, string]> = [
  ["the preset store", "POST /v1/presets/down/responses", "known", 500, preset(500, failure)],
  ["a preset service", "POST /v1/presets/broken/responses", "known", 500, preset(500, failure)],
  ...["GET /v1/presets", "GET /v1/presets/down/versions", "GET /v1/presets/down/pin"].map(
    (path) => ["a preset store", path, "known", 500, preset(500, failure)] as const
  ),
  ["the key store", "POST /v1/presets/a/responses", "unknowable", 500, preset(500, failure, null)],
  ["the key store", "GET /v1/status/1", "unknowable", 500, detail],
  ["the key store", "GET /v1/keys", "known", 500, preset(500, failure)],
  ["the key store", `DELETE /v1/keys/${apiKeyId(3)}`, "known", 500, preset(500, failure)],
  ["the key store", "GET /v1/keys", "unknowable", 500, preset(500, failure, null)],
  ...[
    "GET /v1/workspaces",
    "PUT /v1/workspaces/by-external-id/a",
    `DELETE /v1/workspaces/${workspaceId(1)}/keys/${apiKeyId(3)}`
  ].map(
    (path) => ["a workspace store", path, "operator", 500, preset(500, failure, null)] as const
  ),
  ["the key store", "GET /v1/workspaces", "unknowable", 500, preset(500, failure, null)],
  ["the ledgers", "GET /v1/usage", "known", 500, preset(500, failure, null)],
  ["the ledger", "GET /v1/ledger", "known", 500, preset(500, failure, null)],
  ["the registry of workers", "GET /v1/work", "operator", 500, preset(500, failure, null)],
  ["the key store", "GET /v1/usage", "unknowable", 500, preset(500, failure, null)],
  ["a job service", "GET /v1/status/1", "known", 500, detail],
  ["a speech call", "POST /v1/audio/transcriptions", "known", 500, speech],
  ["the key store", "GET /v1/models", "unknowable", 500, speech],
  ["health itself", "GET /health", "known", 500, detail]
]

const refused: ReadonlyArray<readonly [string, string, number, string]> = [
  ["contended write", "contended", 409, conflict],
  ["write that repeatedly lost to concurrent writes", "superseded", 409, conflict],
  ["store that is too slow", "overdue", 409, conflict],
  ["archived preset", "archived", 409, "Preset is archived"],
  ["workspace that was deleted", "homeless", 404, "Workspace not found"]
]

const writes = [
  ["POST", "/responses"],
  ["PUT", "/designated-version"],
  ["PATCH", ""]
] as const

describe("a failure", () => {
  for (const [what, path, key, status, text] of rows) {
    it.effect(`is logged but not shown if its origin is ${what}: ${path}`, () =>
      Effect.gen(function* () {
        const answer = yield* sendRequest(path, key)
        assert.deepStrictEqual([answer.status, answer.text], [status, text])
        assert.include(answer.logged, secret)
        assert.notInclude(answer.text, secret)
      })
    )
  }
})

/**
 * Requests that get status 500. If a retry can help, the row contains the seconds in `Retry-After`.
 */
const returns: ReadonlyArray<readonly [path: string, key: string, seconds: string | null]> = [
  ["POST /v1/presets/down/responses", "known", "10"],
  ["GET /v1/status/down", "known", "10"],
  ["POST /v1/transcribe", "known", "10"],
  ["GET /v1/presets/a", "unknowable", "10"],
  ["GET /v1/workspaces", "operator", "10"],
  ["GET /v1/status/1", "known", null],
  ["GET /v1/status/unreadable", "known", null]
]

describe("a response with status 500", () => {
  for (const [path, key, seconds] of returns) {
    it.effect(`has Retry-After only if a retry can help: ${path} ${seconds}`, () =>
      Effect.map(sendRequest(path, key), ({ retryAfter, status }) =>
        assert.deepStrictEqual([status, retryAfter], [500, seconds])
      )
    )
  }
})

describe("a workspace", () => {
  it.effect("cannot be deleted while other requests change it", () =>
    Effect.gen(function* () {
      const answer = yield* sendRequest(`DELETE /v1/workspaces/${workspaceId(2)}`, "operator")
      assert.deepStrictEqual([answer.status, answer.text], [409, preset(409, conflict, null)])
    })
  )
})

describe("a write", () => {
  for (const [what, slug, status, message] of refused) {
    for (const [method, path] of writes) {
      it.effect(`is refused because of a ${what}: ${method} ${path} ${status} ${message}`, () =>
        Effect.gen(function* () {
          const answer = yield* sendRequest(`${method} /v1/presets/${slug}${path}`)
          assert.deepStrictEqual([answer.status, answer.text], [status, preset(status, message)])
          assert.strictEqual(answer.logged, "")
        })
      )
    }
  }
})

/** Runs a statement, and returns SQLite's error. */
const saidOf = (statement: string) =>
  Effect.try({
    try: () => {
      const database = new DatabaseSync(":memory:")
      database.exec("CREATE TABLE t (x INTEGER NOT NULL) STRICT; PRAGMA max_page_count = 2")
      database.exec(statement)
    },
    catch: (cause) =>
      new SqlError.SqlError({
        reason: SqlError.classifySqliteError(
          Object.assign(Object(cause), { errno: Reflect.get(Object(cause), "errcode") })
        )
      })
  }).pipe(Effect.flip)

const fill = [
  "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 99999)",
  "INSERT INTO t SELECT x FROM n"
].join(" ")

const statements: ReadonlyArray<readonly [what: string, statement: string, isOutage: boolean]> = [
  ["a database that is full", fill, true],
  ["a missing column", "SELECT y FROM t", false],
  ["a value that violates a constraint", "INSERT INTO t VALUES (NULL)", false]
]

describe("the headers of a failure", () => {
  for (const [what, statement, isOutage] of statements) {
    it.effect(`${isOutage ? "contain" : "omit"} Retry-After for ${what}`, () =>
      Effect.gen(function* () {
        const cause = yield* saidOf(statement)
        const reason = { _tag: "Unavailable" as const, cause }
        for (const error of [
          new JobStoreError({ operation: "insert", reason }),
          new PresetStoreError({ operation: "append", reason }),
          new WorkspaceStoreError({ operation: "findKey", cause })
        ]) {
          const headers = retryHeaders(Cause.die(error))
          assert.deepStrictEqual(headers, isOutage ? { "retry-after": "10" } : {}, error._tag)
        }
      })
    )
  }
})

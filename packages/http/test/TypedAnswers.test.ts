/** Answers are written by their schemas: one that does not fit is a failure, and is never sent. */
import { assert, describe, it } from "@effect/vitest"
import { recordOfKinds } from "@verbatim/core/attempt"
import { WorkerRegistry, WorkQueue } from "@verbatim/core/ports"
import {
  ApiKeys,
  Corrections,
  Followings,
  Jobs,
  KeyUses,
  OperatorKeys,
  Presets,
  RequestLimits,
  SpeechCalls,
  Submissions,
  Usage,
  Workspaces
} from "@verbatim/core/services"
import { noLimits } from "@verbatim/core/workspace"
import { Authenticator, Health, routes } from "@verbatim/http"
import { apiKeyId, userId, workspaceId } from "@verbatim/testkit/samples"
import { Cause, DateTime, Duration, Effect, Layer, Logger, Option } from "effect"
import { HttpRouter, HttpServer } from "effect/http"

const at = DateTime.makeUnsafe("2026-01-02T03:04:05.678Z")

const principal = {
  keyId: apiKeyId(1),
  kind: "management" as const,
  workspaceId: workspaceId(1),
  userId: userId(1),
  workspaceLimits: noLimits
}

/** A service whose answers have a number where a text belongs, or the other way round. */
const wrong = <A>(value: unknown) => value as A

const unusual = { comment: null, erased: null }
const version = wrong<never>({
  id: 1,
  format: "messages",
  createdAt: at,
  updatedAt: at,
  ...unusual
})
const preset = wrong<never>({
  _tag: "Active",
  id: 1,
  statusUpdatedAt: null,
  createdAt: at,
  updatedAt: at
})
const job = wrong<never>({ id: 1 })
const key = wrong<never>({
  id: 1,
  createdAt: at,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null
})
const workspace = wrong<never>({ _tag: "Active", id: 1, createdAt: at })
const account = { workspace, balanceMillis: 1 }

const layers = Layer.mergeAll(
  Layer.mock(ApiKeys)({
    authenticate: () => Effect.succeed(principal),
    keys: () => Effect.succeed([key])
  }),
  Layer.mock(OperatorKeys)({ authenticate: () => Effect.succeed(key) }),
  Layer.mock(KeyUses)({ note: () => Effect.void, noteOperator: () => Effect.void }),
  Layer.mock(Workspaces)({
    accounts: () => Effect.succeed([account]),
    account: () => Effect.succeed(account),
    ensure: () => Effect.succeed(workspace),
    remove: () => Effect.succeed(workspace)
  }),
  Layer.mock(Presets)({
    list: () => Effect.succeed({ presets: [preset], total: 1 }),
    version: () => Effect.succeed(version),
    diff: () => Effect.succeed(wrong({ from: "1" })),
    designations: () => Effect.succeed({ designations: [wrong({ from: "1", at })], total: 1 }),
    labels: () => Effect.succeed([wrong({ name: 1, movedAt: at })]),
    labelHistory: () => Effect.succeed({ moves: [wrong({ from: "1", at })], total: 1 }),
    protectedLabels: () => Effect.succeed([wrong({ label: 1, at })]),
    erase: () => Effect.succeed(wrong({ version }))
  }),
  Layer.mock(RequestLimits)({ admit: () => Effect.void }),
  Layer.mock(Usage)({
    read: () => Effect.succeed([wrong({ day: null, jobs: "1" })]),
    ledger: () => Effect.succeed([wrong({ at, millis: "1", reason: {} })])
  }),
  Layer.mock(SpeechCalls)({ accept: () => Effect.succeed(wrong({ jobId: 1 })) }),
  Layer.mock(WorkerRegistry)({
    survey: Effect.succeed({
      now: at,
      workers: [wrong({ id: 1, name: "a", startedAt: at, seenAt: at, running: {}, outages: [] })],
      debts: []
    })
  }),
  Layer.mock(WorkQueue)({
    owed: Effect.succeed(
      recordOfKinds(() => wrong({ waiting: "1", held: 0, later: 0, age: Duration.zero }))
    )
  }),
  Layer.mock(Submissions)({ submit: () => Effect.succeed(job) }),
  Layer.mock(Corrections)({ version: () => Effect.succeed(wrong({ version: "1" })) }),
  Layer.mock(Followings)({}),
  Layer.mock(Jobs)({
    result: () => Effect.succeed({ _tag: "Pending", view: job }),
    list: () => Effect.succeed({ data: [job], next_cursor: null }),
    history: () => Effect.succeed(wrong({ id: 1 })),
    redeliver: () => Effect.succeed(job),
    retry: () => Effect.succeed(job)
  }),
  Layer.mock(Health)({
    report: Effect.succeed({
      isStoreUp: true,
      media: { _tag: "Ours" },
      readiness: Option.some(wrong({ _tag: "Ready", engine: 1 })),
      activity: Option.none()
    })
  })
)

/** Answers in this process, and what was logged meanwhile. */
const ask = (line: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const logged: Array<string> = []
      const logger = Logger.make(({ cause }) => {
        logged.push(Cause.pretty(cause))
      })
      const app = routes().pipe(
        Layer.provide(Authenticator.keys),
        Layer.provide(layers),
        Layer.provide(HttpServer.layerServices),
        Layer.provideMerge(Logger.layer([logger]))
      )
      return { logged, ...HttpRouter.toWebHandler(app, { disableLogger: true }) }
    }),
    ({ handler, logged }) =>
      Effect.promise(async () => {
        const [method = "", path = ""] = line.split(" ")
        const headers = { authorization: "Bearer known" }
        const answer = await handler(new Request(`http://localhost${path}`, { method, headers }))
        return { status: answer.status, text: await answer.text(), logged: logged.join("\n") }
      }),
    ({ dispose }) => Effect.promise(dispose)
  )

/**
 * The operations whose answers are written by their schemas. The others send texts of the services
 * on, or a preset, which the compiler alone holds to its schema.
 */
const operations = [
  "GET /v1/presets",
  "GET /v1/presets/a/versions/1",
  "GET /v1/presets/a/designations",
  "GET /v1/presets/a/diff?from=1&to=2",
  "DELETE /v1/presets/a/versions/1/content",
  "GET /v1/presets/a/labels",
  "GET /v1/presets/a/labels/production/moves",
  "GET /v1/labels/protected",
  "POST /v1/transcribe",
  "GET /v1/status/1/plain_text",
  "GET /v1/transcriptions",
  "GET /v1/transcriptions/1/history",
  "GET /v1/transcriptions/1/corrections/1",
  "POST /v1/transcriptions/1/webhook",
  "POST /v1/transcriptions/1/retry",
  "GET /v1/models",
  "GET /v1/models/whisper-1",
  "GET /v1/keys",
  "GET /v1/workspaces",
  `GET /v1/workspaces/${workspaceId(1)}`,
  `DELETE /v1/workspaces/${workspaceId(1)}`,
  "PUT /v1/workspaces/by-external-id/a",
  `GET /v1/workspaces/${workspaceId(1)}/keys`,
  `GET /v1/workspaces/${workspaceId(1)}/labels/protected`,
  "GET /v1/usage",
  "GET /v1/ledger",
  `GET /v1/workspaces/${workspaceId(1)}/ledger`,
  "GET /v1/work",
  "GET /v1/work/history",
  "GET /health",
  "GET /health/ready"
]

describe("an answer that does not fit its schema", () => {
  for (const operation of operations) {
    it.effect(`is a 500, and its mistake is logged: ${operation}`, () =>
      Effect.gen(function* () {
        const { logged, status, text } = yield* ask(operation)
        assert.strictEqual(status, 500)
        assert.include(text, "Internal Server Error")
        assert.match(logged, /Expected (?:a )?string|Expected (?:an? )?(?:integer|number)/)
      })
    )
  }
})

/** A host that identifies its users by sessions; only its operator has one of our keys. */
import { assert, describe, layer } from "@effect/vitest"
import { Workspaces } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Authenticator, AuthenticatorError, routes, Unauthenticated } from "@verbatim/http"
import { userId, workspaceId } from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import * as Deployed from "./Deployment.ts"
import { Deployment, operatorKey } from "./Deployment.ts"

const sessionOf = (cookie = ""): string => /session=(\w+)/.exec(cookie)?.[1] ?? ""

const refuse = (reason: Unauthenticated["reason"]) => Effect.fail(new Unauthenticated({ reason }))

/** A secret that no response contains. */
const secret = "postgres://sessions:hunter2@10.0.0.7"

const sessions = Layer.effect(
  Authenticator,
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const identify = Effect.fnUntraced(function* (kind: Principal["kind"]) {
      const [first] = yield* workspaces.accounts({ after: null, limit: 1 })
      if (first === undefined) return yield* refuse("Unknown")
      return { kind, workspaceId: first.workspace.id, userId: userId(7) }
    })
    return {
      identify: ({ request }) => {
        switch (sessionOf(request.headers.cookie)) {
          case "":
            return refuse("Missing")
          case "author":
            return identify("management")
          case "stranger":
            return Effect.succeed({
              kind: "management",
              workspaceId: workspaceId(9),
              userId: userId(7)
            })
          case "reader":
            return identify("inference")
          case "barred":
            return refuse("Disabled")
          case "down":
            return Effect.fail(new AuthenticatorError({ cause: new Error(secret) }))
          case "broken":
            return Effect.die(new Error(secret))
          default:
            return refuse("Unknown")
        }
      }
    }
  })
)

const listening = HttpRouter.serve(routes({ prefix: "/gateway" }), {
  disableLogger: true,
  disableListenLog: true
}).pipe(Layer.provide(sessions))

const read = (path: string, headers: Readonly<Record<string, string>>) =>
  Effect.flatMap(Deployment, ({ call }) => call(`/gateway${path}`, { headers }))

const statuses = (session: string) =>
  Effect.forEach(
    ["/v1/presets", "/v1/transcriptions", "/v1/keys", "/v1/usage", "/v1/ledger"],
    (path) => Effect.map(read(path, { cookie: `session=${session}` }), ({ status }) => status)
  )

const upload = Effect.fnUntraced(function* (session: string) {
  const { call } = yield* Deployment
  const { status } = yield* call("/gateway/v1/transcribe", {
    headers: { cookie: `session=${session}`, "content-type": "application/json" },
    body: JSON.stringify({ url: "https://media.example.com/a.mp3" })
  })
  return status
})

/** Changes the workspace as the operator. */
const change = Effect.fnUntraced(function* (method: "DELETE" | "PATCH", body?: object) {
  const { call } = yield* Deployment
  const workspaces = yield* Workspaces
  const [first] = yield* workspaces.accounts({ after: null, limit: 1 })
  const answer = yield* call(`/gateway/v1/workspaces/${first?.workspace.id}`, {
    method,
    headers: { authorization: `Bearer ${operatorKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  assert.strictEqual(answer.status, 200)
})

describe("a session's workspace", () => {
  layer(Deployed.layer({}, listening))((it) => {
    it.effect("accepts requests within its limits while the workspace is active", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* upload("author"), 200)
        yield* change("PATCH", { limits: { requests_per_second: 1 } })
        const many = yield* Effect.all(
          Array.from({ length: 32 }, () => upload("author")),
          {
            concurrency: "unbounded"
          }
        )
        assert.include(many, 429)
        yield* change("PATCH", { status: "disabled", limits: { requests_per_second: null } })
        assert.deepStrictEqual(yield* statuses("author"), [403, 403, 403, 403, 403])
        assert.strictEqual(yield* upload("author"), 403)
        yield* change("DELETE")
        assert.deepStrictEqual(yield* statuses("author"), [403, 403, 403, 403, 403])
        assert.strictEqual(yield* upload("author"), 403)
      })
    )
  })
})

describe("a host's sessions", () => {
  layer(Deployed.layer({}, listening))((it) => {
    it.effect("cannot open a workspace that does not exist", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* statuses("stranger"), [401, 403, 401, 401, 401])
        assert.strictEqual(yield* upload("stranger"), 403)
      })
    )
  })
})

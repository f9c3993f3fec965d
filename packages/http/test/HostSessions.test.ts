/**
 * Tests a host that identifies its users by session and also sends requests itself. Only its
 * operator has one of our keys. For each error format, the test compares the refusals case by case.
 */
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Workspaces } from "@verbatim/core/services"
import { noLimits, type Principal } from "@verbatim/core/workspace"
import {
  Authenticator,
  AuthenticatorError,
  type Identity,
  operator,
  routes,
  Unauthenticated
} from "@verbatim/http"
import { upTo, userId, workspaceId } from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import * as Deployed from "./Deployment.ts"
import { Deployment, operatorKey } from "./Deployment.ts"
import { send } from "./workspace/WorkspaceCalls.ts"

const refuse = (reason: Unauthenticated["reason"]) => Effect.fail(new Unauthenticated({ reason }))

/** Identifies the sender by a cookie, which contains only the name of a session. */
const sessions = Layer.effect(
  Authenticator,
  Effect.map(Workspaces, (workspaces) => {
    const find = Effect.fnUntraced(function* (kind: Principal["kind"]) {
      const [first] = yield* workspaces.accounts({ after: null, limit: 1 })
      if (first === undefined) return yield* refuse("Unknown")
      return { kind, workspaceId: first.workspace.id, userId: userId(7) }
    })
    const limited = Effect.map(find("management"), (caller) => ({
      ...caller,
      workspaceLimits: { ...noLimits, requestsPerSecond: 1 }
    }))
    const inProcess = (identity: Identity): Identity => ({ ...identity, isInProcess: true })
    const lost = { kind: "management", workspaceId: workspaceId(9), userId: userId(7) } as const
    const answers: Readonly<Record<string, ReturnType<Authenticator["Service"]["identify"]>>> = {
      known: find("inference"),
      author: find("management"),
      lost: Effect.succeed(lost),
      limited,
      "limited in process": Effect.map(limited, inProcess),
      operator: Effect.succeed(operator),
      "operator in process": Effect.succeed(inProcess(operator)),
      disabled: refuse("Disabled"),
      stranger: Effect.fail(new Unauthenticated({ reason: "Unknown", sentence: "Sign in" })),
      down: Effect.fail(new AuthenticatorError({ cause: "down" }))
    }
    return {
      identify: ({ request }) => {
        const { cookie } = request.headers
        return cookie === undefined ? refuse("Missing") : (answers[cookie] ?? refuse("Unknown"))
      }
    }
  })
)

const hosted = () =>
  Deployed.layer(
    {},
    HttpRouter.serve(routes(), { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provide(sessions)
    )
  )

/**
 * One operation for each kind of authentication, and one with a direct route, each with its error
 * format.
 */
const operations = [
  { path: "/presets", form: "preset" },
  { path: "/presets/nothing/pin", form: "preset" },
  { path: "/transcriptions", form: "transcription" },
  { path: "/models", form: "openai" },
  { path: "/keys", form: "preset" },
  { path: "/usage", form: "preset" },
  { path: "/workspaces", form: "preset" }
] as const

interface Golden {
  /** Expected responses, each with status, headers and body, keyed by name and error format. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** For each case, the names of the expected responses, in the order of the operations. */
  readonly cases: Readonly<Record<string, string>>
}

const golden: Golden = JSON.parse(
  readFileSync(new URL("HostSessions.json", import.meta.url), "utf8")
)

/** Formats a response on one line. A successful response is shown as `ok`. */
const toLine = ({ headers, status, text }: Deployed.Answer): string => {
  if (status === 200) return "ok"
  const named = ["www-authenticate", "retry-after", "content-type"].flatMap(
    (name) => headers.get(name) ?? []
  )
  return [status, ...named, text.replace(/"user_\w{8}-[^"]+"/, '"user"')].join(" ")
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Compares the responses to a request with the expected responses. */
const judge = Effect.fnUntraced(function* (
  name: string,
  headers: Readonly<Record<string, string>>
) {
  const names = golden.cases[name]?.split(" ") ?? []
  assert.lengthOf(names, operations.length, name)
  for (const [index, { form, path }] of operations.entries()) {
    const line = toLine(yield* send({ path, key: undefined, headers }))
    const expected = golden.answers[names[index] ?? ""]?.[form]
    assert.strictEqual(line, expected ?? names[index], `${name}: ${path}`)
  }
})

layer(hosted(), { excludeTestServices: true })("a host's session", (it) => {
  for (const cookie of ["known", "unknown", "disabled", "stranger", "down", undefined]) {
    it.effect(`is checked, both alone and together with a key: ${cookie}`, () =>
      Effect.gen(function* () {
        const session: Record<string, string> = cookie === undefined ? {} : { cookie }
        const name = cookie === undefined ? "no session" : `session ${cookie}`
        yield* judge(name, session)
        yield* judge(`${name}, unknown key`, { ...session, ...bearer("unknown") })
        yield* judge(`${name}, operator key`, { ...session, ...bearer(operatorKey) })
      })
    )
  }
})

/** Sends many requests concurrently, and returns their statuses. */
const statusesOf = Effect.fnUntraced(function* (path: string, cookie: string) {
  const sendRequest = Effect.map(
    send({ path, key: undefined, headers: { cookie } }),
    (answer) => answer.status
  )
  return new Set(yield* Effect.forEach(upTo(32), () => sendRequest, { concurrency: "unbounded" }))
})

const only = (status: number) => new Set([status])

layer(hosted(), { excludeTestServices: true })("a host", (it) => {
  it.effect("can send any number of its own requests for a caller without a limit", () =>
    Effect.gen(function* () {
      assert.include([...(yield* statusesOf("/presets", "limited"))], 429)
      for (const path of ["/presets", "/transcriptions", "/models", "/keys", "/usage"]) {
        assert.deepStrictEqual(yield* statusesOf(path, "limited in process"), only(200))
      }
      assert.deepStrictEqual(yield* statusesOf("/presets/no/pin", "limited in process"), only(404))
    })
  )

  it.effect("can act as an operator without a key", () =>
    Effect.gen(function* () {
      for (const cookie of ["operator", "operator in process"]) {
        assert.deepStrictEqual(yield* statusesOf("/workspaces", cookie), only(200))
        assert.deepStrictEqual(yield* statusesOf("/usage", cookie), only(200))
        assert.deepStrictEqual(yield* statusesOf("/presets", cookie), only(401))
      }
      assert.deepStrictEqual(yield* statusesOf("/workspaces", "author"), only(401))
      assert.deepStrictEqual(yield* statusesOf("/workspaces", "limited in process"), only(403))
    })
  )
})

layer(hosted(), { excludeTestServices: true })("a session's workspace", (it) => {
  it.effect("must exist and be active, and its limits apply to the host's users", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment
      const workspaces = yield* Workspaces
      const [first] = yield* workspaces.accounts({ after: null, limit: 1 })
      const change = (method: string, json?: object) =>
        send({
          path: `/workspaces/${first?.workspace.id}`,
          method,
          headers: { ...bearer(operatorKey), "content-type": "application/json" },
          ...(json === undefined ? {} : { body: JSON.stringify(json) })
        })
      const upload = (cookie: string) =>
        Effect.map(
          call("/v1/transcribe", {
            headers: { cookie, "content-type": "application/json" },
            body: JSON.stringify({ url: "https://media.example.com/a.mp3" })
          }),
          ({ status }) => status
        )
      assert.deepStrictEqual([yield* upload("author"), yield* upload("lost")], [200, 403])
      yield* change("PATCH", { limits: { requests_per_second: 1 } })
      assert.include([...(yield* statusesOf("/presets", "author"))], 429)
      yield* change("PATCH", { status: "disabled", limits: { requests_per_second: null } })
      assert.deepStrictEqual(yield* statusesOf("/usage", "author"), only(403))
      assert.strictEqual(yield* upload("author"), 403)
      yield* change("DELETE")
      assert.deepStrictEqual(yield* statusesOf("/usage", "author"), only(403))
      assert.strictEqual(yield* upload("author"), 403)
    })
  )
})

/** How each family of operations refuses a request: by status, headers and body, case by case. */
import { readFileSync, writeFileSync } from "node:fs"
import { assert, describe, layer } from "@effect/vitest"
import { WorkspaceStoreError } from "@verbatim/core/ports"
import { Workspaces } from "@verbatim/core/services"
import { Authenticator, AuthenticatorError, routes, Unauthenticated } from "@verbatim/http"
import { userId } from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import * as Deployed from "./Deployment.ts"
import { Deployment, keys, operatorKey } from "./Deployment.ts"
import { issueKey, makeTenant, send } from "./workspace/WorkspaceCalls.ts"

/** An operation of each kind of authentication, and one with a direct route. */
const operations = {
  presets: "/presets",
  direct: "/presets/nothing/pin",
  transcriptions: "/transcriptions",
  openai: "/models",
  keys: "/keys",
  usage: "/usage",
  operators: "/workspaces"
}

const golden: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(new URL("KeyRefusals.json", import.meta.url), "utf8")
)

/** What was answered, in one line; an answer without an error is its status alone. */
const toLine = ({ headers, status, text }: Deployed.Answer): string => {
  if (status < 400) return String(status)
  const names = ["www-authenticate", "retry-after", "content-type"]
  const named = names.flatMap((name) => headers.get(name) ?? [])
  return [status, ...named, text.replace(/"user_\w{8}-[^"]+"/, '"user"')].join(" ")
}

const answersTo = (headers: Readonly<Record<string, string>>) =>
  Effect.forEach(Object.entries(operations), ([name, path]) =>
    Effect.map(send({ path, key: undefined, headers }), (answer) => [name, toLine(answer)])
  ).pipe(Effect.map((lines) => Object.fromEntries(lines)))

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Compares the answers to a request with the known ones. */
const judge = Effect.fnUntraced(function* (
  name: string,
  headers: Readonly<Record<string, string>>
) {
  const answers = yield* answersTo(headers)
  if (process.env.GOLDEN !== undefined) {
    golden[name] = answers
    writeFileSync(
      new URL("KeyRefusals.json", import.meta.url),
      `${JSON.stringify(golden, null, 2)}\n`
    )
  }
  assert.deepStrictEqual(answers, golden[name])
})

layer(Deployed.layer(), { excludeTestServices: true })("a key", (it) => {
  it.effect("is refused when it is missing, malformed or unknown", () =>
    Effect.gen(function* () {
      yield* judge("missing", {})
      yield* judge("another scheme", { authorization: "Basic YTpi" })
      yield* judge("unknown", bearer("unknown-key-for-tests-0123456789"))
    })
  )

  it.effect("is refused where it may not call", () =>
    Effect.gen(function* () {
      const { id, management } = yield* makeTenant("refused")
      const narrow = yield* issueKey(id, { kind: "management", scopes: ["presets:write"] })
      yield* judge("of an operator", bearer(operatorKey))
      yield* judge("of the kind inference", bearer(keys.inference))
      yield* judge("of the kind management", bearer(keys.management))
      yield* judge("with another scope", bearer(narrow.token))
      yield* send({ path: `/workspaces/${id}`, method: "PATCH", json: { status: "disabled" } })
      yield* judge("of a disabled workspace", bearer(management.token))
    })
  )
})

/** Whether the store of workspaces fails. */
let isDown = false

const failing = Deployed.layer({
  workspaceStore: (store) => ({
    ...store,
    findKey: (hash) =>
      isDown
        ? Effect.fail(new WorkspaceStoreError({ operation: "find a key", cause: "down" }))
        : store.findKey(hash)
  })
})

layer(failing, { excludeTestServices: true })("a store that is down", (it) => {
  it.effect("is answered as a failure", () => {
    isDown = true
    return judge("not looked up", bearer(keys.management))
  })
})

/** Callers that a host knows by a cookie. */
const sessions = Layer.effect(
  Authenticator,
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const refuse = (reason: Unauthenticated["reason"]) =>
      Effect.fail(new Unauthenticated({ reason }))
    const known = Effect.gen(function* () {
      const [first] = yield* workspaces.accounts({ after: null, limit: 1 })
      if (first === undefined) return yield* refuse("Unknown")
      return { kind: "inference" as const, workspaceId: first.workspace.id, userId: userId(7) }
    })
    return {
      identify: ({ request }) => {
        switch (request.headers.cookie) {
          case "as=known":
            return known
          case "as=disabled":
            return refuse("Disabled")
          case "as=stranger":
            return Effect.fail(new Unauthenticated({ reason: "Unknown", sentence: "Sign in" }))
          case "as=down":
            return Effect.fail(new AuthenticatorError({ cause: "down" }))
          case undefined:
            return refuse("Missing")
          default:
            return refuse("Unknown")
        }
      }
    }
  })
)

const hosted = HttpRouter.serve(routes(), { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provide(sessions)
)

layer(Deployed.layer({}, hosted), { excludeTestServices: true })("a session of a host", (it) => {
  const cookies = ["known", "unknown", "disabled", "stranger", "down"]
  for (const cookie of cookies) {
    it.effect(`is refused alone, with an unknown key and with that of an operator: ${cookie}`, () =>
      Effect.gen(function* () {
        const session = { cookie: `as=${cookie}` }
        yield* judge(`session ${cookie}`, session)
        yield* judge(`session ${cookie}, unknown key`, { ...session, ...bearer("unknown") })
        yield* judge(`session ${cookie}, operator key`, { ...session, ...bearer(operatorKey) })
      })
    )
  }

  it.effect("is refused when it is missing", () =>
    Effect.gen(function* () {
      yield* judge("no session", {})
      yield* judge("no session, unknown key", bearer("unknown"))
      yield* judge("no session, operator key", bearer(operatorKey))
    })
  )
})

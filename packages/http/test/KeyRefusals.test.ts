/** Refusals of each family of operations: their status, headers and body, case by case. */
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { WorkspaceStoreError } from "@verbatim/core/ports"
import { Workspaces } from "@verbatim/core/services"
import { Authenticator, AuthenticatorError, routes, Unauthenticated } from "@verbatim/http"
import { userId } from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import * as Deployed from "./Deployment.ts"
import { keys, operatorKey } from "./Deployment.ts"
import { issueKey, makeTenant, send } from "./workspace/WorkspaceCalls.ts"

/**
 * One operation for each kind of authentication, and one with a direct route, each with its family.
 */
const operations = [
  { path: "/presets", form: "preset", scope: "presets:read" },
  { path: "/presets/nothing/pin", form: "preset", scope: "presets:read" },
  { path: "/transcriptions", form: "transcription", scope: "transcriptions:read" },
  { path: "/models", form: "openai", scope: "transcriptions:read" },
  { path: "/keys", form: "preset", scope: "" },
  { path: "/usage", form: "preset", scope: "usage:read" },
  { path: "/workspaces", form: "preset", scope: "" }
] as const

interface Golden {
  /** Status, headers and body of each response, by name and family. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Names of the responses in each case, in the order of the operations. */
  readonly cases: Readonly<Record<string, string>>
}

const golden: Golden = JSON.parse(
  readFileSync(new URL("KeyRefusals.json", import.meta.url), "utf8")
)

/** Formats a response on one line; a success is represented only by a name. */
const toLine = ({ headers, status, text }: Deployed.Answer): string => {
  if (status === 200) return "ok"
  const named = ["www-authenticate", "retry-after", "content-type"].flatMap(
    (name) => headers.get(name) ?? []
  )
  return [status, ...named, text.replace(/"user_\w{8}-[^"]+"/, '"user"')].join(" ")
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Compares the responses to a request with the expected ones. */
const judge = Effect.fnUntraced(function* (
  name: string,
  headers: Readonly<Record<string, string>>
) {
  const names = golden.cases[name]?.split(" ") ?? []
  assert.lengthOf(names, operations.length, name)
  for (const [index, { form, path, scope }] of operations.entries()) {
    const line = toLine(yield* send({ path, key: undefined, headers }))
    const expected = golden.answers[names[index] ?? ""]?.[form]?.replace("{scope}", scope)
    assert.strictEqual(line, expected ?? names[index], `${name}: ${path}`)
  }
})

layer(Deployed.layer(), { excludeTestServices: true })("a key", (it) => {
  it.effect("is refused if it is missing, malformed or unknown", () =>
    Effect.gen(function* () {
      yield* judge("missing", {})
      yield* judge("another scheme", { authorization: "Basic YTpi" })
      yield* judge("unknown", bearer("unknown-key-for-tests-0123456789"))
    })
  )

  it.effect("is refused if it lacks the permission for an operation", () =>
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

/** Whether the workspace store fails. */
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
  it.effect("makes requests fail instead of refusing the key", () => {
    isDown = true
    return judge("not looked up", bearer(keys.management))
  })
})

/** Callers identified by a host's cookie. */
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

layer(Deployed.layer({}, hosted), { excludeTestServices: true })("a host's session", (it) => {
  const cookies = ["known", "unknown", "disabled", "stranger", "down"]
  for (const cookie of cookies) {
    it.effect(
      `is checked whether it is sent alone or with an unknown key or operator key: ${cookie}`,
      () =>
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

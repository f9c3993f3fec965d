/** Refusals of each family of operations: their status, headers and body, case by case. */
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Workspaces } from "@verbatim/core/services"
import { Authenticator, AuthenticatorError, routes, Unauthenticated } from "@verbatim/http"
import { userId } from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import * as Deployed from "./Deployment.ts"
import { operatorKey } from "./Deployment.ts"
import { send } from "./workspace/WorkspaceCalls.ts"

/**
 * One operation for each kind of authentication, and one with a direct route, each with its family.
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
  for (const [index, { form, path }] of operations.entries()) {
    const line = toLine(yield* send({ path, key: undefined, headers }))
    const expected = golden.answers[names[index] ?? ""]?.[form]
    assert.strictEqual(line, expected ?? names[index], `${name}: ${path}`)
  }
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

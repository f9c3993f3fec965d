/**
 * Tests keys that every route refuses: keys of a disabled or deleted workspace, operator keys in
 * operations for workspaces, and unknown keys.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { nameUnknown, permitted, type Route, routes, toCall } from "./Routes.ts"
import { dataOf, makeTenant, send } from "./WorkspaceCalls.ts"

const authorization = (value: string): Deployment.Call => ({
  key: undefined,
  headers: { authorization: value }
})

/** Requests without a valid credential, each with a description of what they send instead. */
const keyless = (key: string): ReadonlyArray<readonly [what: string, call: Deployment.Call]> => [
  ["no key", { key: undefined }],
  ["another scheme", authorization("Basic abc")],
  ["a scheme without a key", authorization("Bearer ")],
  ["a key without a scheme", authorization(key)]
]

const parameters = nameUnknown("standing")

/** Whether a route is OpenAI-compatible. */
const isSpeech = ({ path }: Route): boolean => /^\/(?:audio|models)/.test(path)

const speechCodes: Readonly<Record<number, readonly [type: string, code: string]>> = {
  401: ["invalid_request_error", "invalid_api_key"],
  403: ["permission_error", "permission_denied"]
}

const isTranscription = ({ path }: Route): boolean => /^\/(?:status|transc)/.test(path)

interface Refusal {
  readonly status: number
  readonly message: string
}

/**
 * Builds the expected body of the refusal of an unknown sender, in the format of the route's API.
 */
const bodyOf = (route: Route, { message, status }: Refusal): object => {
  if (isSpeech(route)) {
    const [type, code] = speechCodes[status] ?? []
    return { error: { message, type, param: null, code } }
  }
  return isTranscription(route)
    ? { detail: `Forbidden: ${message}` }
    : { error: { code: status, message }, gateway_metadata: null, user_id: null }
}

/**
 * Asserts that a request is refused. The status depends on the route's API, because the
 * transcription API never uses 401.
 */
const assertRefused = Effect.fnUntraced(function* (
  route: Route,
  { refusal, ...call }: Deployment.Call & { readonly refusal: Refusal }
) {
  const status = isTranscription(route) ? 403 : refusal.status
  const answer = yield* send({ ...toCall(route, parameters), ...call })
  assert.deepStrictEqual(
    [answer.status, JSON.parse(answer.text)],
    [status, bodyOf(route, refusal)],
    route.name
  )
  assert.strictEqual(answer.headers.get("www-authenticate"), status === 401 ? "Bearer" : null)
  assert.strictEqual(answer.headers.get("content-type"), "application/json")
})

const unknown = { status: 401, message: "Invalid API key" }
const missing = { status: 401, message: "Missing Authentication header" }
const badForm = { status: 403, message: "Invalid API key format" }
const disabled = { status: 403, message: "The workspace is disabled" }
const operatorsOnly = { status: 403, message: "Only operator keys can perform this operation" }

const setStatus = (id: string, status: string) =>
  dataOf({ path: `/workspaces/${id}`, method: "PATCH", json: { status } })

layer(Deployment.layer(), { excludeTestServices: true })("every route", (it) => {
  it.effect("refuses a workspace's keys only while the workspace is disabled", () =>
    Effect.gen(function* () {
      const { id, inference, management } = yield* makeTenant("disabled")
      const ofWorkspaces = routes.filter(({ scheme }) => scheme === "bearer")
      yield* setStatus(id, "disabled")
      for (const route of routes) {
        const refusal = route.scheme === "operator" ? operatorsOnly : disabled
        for (const { token } of [inference, management]) {
          yield* assertRefused(route, { key: token, refusal })
        }
      }
      yield* setStatus(id, "active")
      for (const route of ofWorkspaces) {
        const { status } = yield* send({ ...toCall(route, parameters), key: management.token })
        // The workspace's keys do not have the scope of a label.
        if (route.scope?.startsWith("labels:")) assert.strictEqual(status, 403, route.name)
        // The status can be 409, because one request archives a preset that others use.
        else assert.include(permitted(route), status, route.name)
      }
    })
  )

  it.effect("refuses operator keys if it is for a workspace's presets, jobs or keys", () =>
    Effect.gen(function* () {
      const both = routes.filter(({ takesBoth }) => takesBoth)
      assert.deepStrictEqual(
        both.map(({ name }) => name),
        ["get /usage", "get /workspaces/{id}/ledger", "get /ledger"]
      )
      for (const route of routes.filter(({ scheme }) => scheme === "bearer")) {
        if (route.takesBoth) continue
        yield* assertRefused(route, { key: Deployment.operatorKey, refusal: unknown })
      }
    })
  )

  it.effect("refuses workspace keys if it is for operators, and mentions only the key's user", () =>
    Effect.gen(function* () {
      const { inference, management } = yield* makeTenant("no operator")
      for (const route of routes.filter(({ scheme }) => scheme === "operator")) {
        for (const { token, user_id } of [inference, management]) {
          const answer = yield* send({ ...toCall(route, parameters), key: token })
          assert.strictEqual(answer.status, 403)
          assert.deepStrictEqual(JSON.parse(answer.text), {
            error: { code: 403, message: operatorsOnly.message },
            gateway_metadata: null,
            user_id
          })
        }
      }
    })
  )

  it.effect("refuses an unknown key and a missing key", () =>
    Effect.gen(function* () {
      for (const route of routes) {
        yield* assertRefused(route, { key: "nobody-has-this-key", refusal: unknown })
        const refusal = isTranscription(route) ? badForm : missing
        for (const [, call] of keyless(Deployment.operatorKey)) {
          const { headers } = toCall(route, parameters)
          yield* assertRefused(route, {
            ...call,
            headers: { ...headers, ...call.headers },
            refusal
          })
        }
      }
    })
  )
})

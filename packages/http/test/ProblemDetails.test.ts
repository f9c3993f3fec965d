/** Tests errors as problem details over real HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "./Deployment.ts"
import { nameUnknown, routes, toCall } from "./workspace/Routes.ts"
import { send, type WorkspaceCall } from "./workspace/WorkspaceCalls.ts"

const type = "application/problem+json"

/** `Accept` headers of clients that do not know problem details. */
const ordinary = ["*/*", "text/html, application/*;q=0.9", `*/*, ${type};q=0.0`]

const sendWith = (call: WorkspaceCall, accept: string) =>
  send({ ...call, headers: { ...call.headers, accept } })

/** Returns the headers that do not depend on the format of the body. */
const traitsOf = ({ headers }: Deployment.Answer) =>
  Object.fromEntries(
    [...headers].filter(([name]) => !/^(?:content-|date$|vary$|x-request-id$)/.test(name))
  )

const formOf = ({ headers, status, text }: Deployment.Answer) => [
  status,
  headers.get("content-type"),
  text
]

/**
 * Requests without a body to every route: without a key, with an unknown key, and with each key.
 */
const calls = routes.flatMap((route) => {
  const { body: _, json: _json, ...call } = toCall(route, nameUnknown("a"))
  const keys = [undefined, "unknown-key", ...Object.values(Deployment.keys), Deployment.operatorKey]
  return keys.map((key) => ({ ...call, key }))
})

layer(Deployment.layer(), { excludeTestServices: true })("an error", (it) => {
  it.effect(
    "keeps its usual format for other clients, with the same status, headers and message",
    () =>
      Effect.gen(function* () {
        const seen = new Set<number>()
        for (const call of [...calls, { path: "/nothing" }, { path: "/presets", method: "PUT" }]) {
          const plain = yield* send(call)
          if (plain.status < 400) continue
          seen.add(plain.status)
          assert.strictEqual(plain.headers.get("content-type"), "application/json", call.path)
          assert.notProperty(JSON.parse(plain.text), "title", call.path)
          for (const accept of ordinary) {
            const same = yield* sendWith(call, accept)
            assert.deepStrictEqual(formOf(same), formOf(plain), `${call.path}, ${accept}`)
          }
          const problem = yield* sendWith(call, `application/json, ${type.toUpperCase()}; q=0.5`)
          const { detail, error } = JSON.parse(plain.text)
          const { title, ...body } = JSON.parse(problem.text)
          const expected = {
            type: "about:blank",
            status: plain.status,
            detail: detail ?? error.message
          }
          assert.deepStrictEqual(body, expected, call.path)
          assert.isNotEmpty(title)
          assert.notStrictEqual(title, "Error")
          assert.strictEqual(problem.headers.get("content-type"), type)
          assert.strictEqual(problem.headers.get("content-length"), `${problem.text.length}`)
          for (const { headers } of [plain, problem]) assert.include(headers.get("vary"), "Accept")
          assert.deepStrictEqual(traitsOf(problem), traitsOf(plain), call.path)
        }
        assert.includeMembers([...seen], [400, 401, 403, 404, 405])
      })
  )

  it.effect("is the only response whose format depends on the Accept header", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      for (const path of ["/health", "/health/ready", "/openapi.json", "/"]) {
        const problem = yield* call(path, { headers: { accept: type } })
        const plain = yield* call(path)
        assert.strictEqual(problem.headers.get("content-type"), plain.headers.get("content-type"))
      }
    })
  )
})

/** Permissions of keys with a list of scopes, row by row, on every route. */
import { assert, describe, it, layer } from "@effect/vitest"
import { kindScopes, scopes } from "@verbatim/core/workspace"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { nameUnknown, permitted, type Route, routes, toCall } from "./Routes.ts"
import { dataOf, fetchJson, issueKey, makeTenant, makeWorkspace, send } from "./WorkspaceCalls.ts"

/** The operations that need a scope. No other operation needs a scope. */
const table: Readonly<Record<string, string>> = {
  "post /presets/{slug}/responses": "presets:write",
  "post /presets/{slug}/versions": "presets:write",
  "post /presets/{slug}/chat/completions": "presets:write",
  "post /presets/{slug}/messages": "presets:write",
  "get /presets": "presets:read",
  "get /presets/{slug}": "presets:read",
  "patch /presets/{slug}": "presets:write",
  "get /presets/{slug}/versions": "presets:read",
  "get /presets/{slug}/versions/{version}": "presets:read",
  "put /presets/{slug}/designated-version": "presets:write",
  "get /presets/{slug}/designations": "presets:read",
  "get /presets/{slug}/diff": "presets:read",
  "delete /presets/{slug}": "presets:write",
  "delete /presets/{slug}/versions/{version}/content": "presets:write",
  "get /presets/{slug}/labels": "presets:read",
  "get /presets/{slug}/labels/{label}": "presets:read",
  "put /presets/{slug}/labels/{label}": "presets:write",
  "delete /presets/{slug}/labels/{label}": "presets:write",
  "get /presets/{slug}/labels/{label}/moves": "presets:read",
  "get /labels/protected": "presets:read",
  "put /labels/protected/{label}": "labels:{label}",
  "delete /labels/protected/{label}": "labels:{label}",
  "get /presets/{slug}/pin": "presets:read",
  "post /presets/{slug}/resolve": "presets:read",
  "post /presets/preview": "presets:read",
  "post /resolve": "presets:read",
  "post /transcribe": "transcriptions:write",
  "post /transcriptions/quote": "transcriptions:write",
  "get /status/{id}": "transcriptions:read",
  "get /status/{id}/{modifier}": "transcriptions:read",
  "get /transcriptions": "transcriptions:read",
  "get /transcriptions/{id}": "transcriptions:read",
  "get /transcriptions/events": "transcriptions:read",
  "get /transcriptions/{id}/events": "transcriptions:read",
  "get /transcriptions/{id}/media": "transcriptions:read",
  "get /transcriptions/{id}/peaks": "transcriptions:read",
  "delete /transcriptions/{id}": "transcriptions:write",
  "get /transcriptions/{id}/history": "transcriptions:read",
  "post /transcriptions/{id}/webhook": "transcriptions:write",
  "post /transcriptions/{id}/retry": "transcriptions:write",
  "put /transcriptions/{id}/speakers": "transcriptions:write",
  "patch /transcriptions/{id}/segments": "transcriptions:write",
  "get /transcriptions/{id}/corrections": "transcriptions:read",
  "get /transcriptions/{id}/corrections/{version}": "transcriptions:read",
  "put /transcriptions/{id}/corrections/current": "transcriptions:write",
  "post /audio/transcriptions": "transcriptions:write",
  "get /models": "transcriptions:read",
  "get /models/{model}": "transcriptions:read",
  "get /usage": "usage:read",
  "get /ledger": "usage:read",
  "get /workspaces/{id}/ledger": "usage:read"
}

/** Operations that also accept the scope of the label in their path. */
const movingLabels = ["put /presets/{slug}/labels/{label}", "delete /presets/{slug}/labels/{label}"]

const ownKeys = ["get /keys", "post /keys", "post /keys/{key_id}/rotate", "delete /keys/{key_id}"]

describe("the description", () => {
  it("contains the scope of each operation that needs one", () => {
    const described = routes.flatMap(({ name, scope }) =>
      scope === undefined ? [] : [[name, scope]]
    )
    assert.deepStrictEqual(Object.fromEntries(described), table)
    const moving = routes.filter(({ labelScope }) => labelScope !== undefined)
    assert.sameMembers(
      moving.map(({ name }) => name),
      movingLabels
    )
    for (const { labelScope } of moving) assert.strictEqual(labelScope, "labels:{label}")
  })

  it("assigns every route that needs a key to a scope, to operators or to key management", () => {
    const others = routes.filter(({ scheme, scope }) => scheme === "bearer" && scope === undefined)
    assert.sameMembers(
      others.map(({ name }) => name),
      ownKeys
    )
    const operators = routes.filter(({ scheme }) => scheme === "operator")
    for (const { name, scope } of operators) {
      assert.match(name, / \/work(?:spaces|\/|$)/)
      assert.isUndefined(scope)
    }
    // Every route below `/v1` needs a key.
    assert.isEmpty(routes.filter(({ scheme }) => scheme === undefined))
  })
})

const parameters = nameUnknown("scoped")

const sentenceOf = (text: string): string => {
  const { detail, error } = JSON.parse(text)
  return detail ?? error.message
}

/** Inserts the label from the parameters into a scope from the description. */
const fill = (scope: string | undefined) => scope?.replace("{label}", parameters.label ?? "")

/**
 * The expected error response for a key with only this scope; undefined if the key is permitted.
 */
const refusalFor = (
  { labelScope, name, scheme, scope }: Route,
  own: string
): string | undefined => {
  if (scheme === "operator") return "Only operator keys can perform this operation"
  if (fill(scope) === own || fill(labelScope) === own) return undefined
  if (scope === undefined) return "A key with a list of scopes cannot manage keys"
  const sentence = `The key lacks the scope ${fill(labelScope ?? scope)}`
  return / \/(?:status|transc)/.test(name) ? `Forbidden: ${sentence}` : sentence
}

layer(Deployment.layer(), { excludeTestServices: true })("a key with one scope", (it) => {
  for (const scope of [...scopes, "labels:nowhere", "labels:elsewhere"]) {
    it.effect(`can call only the operations of its scope: ${scope}`, () =>
      Effect.gen(function* () {
        const id = yield* makeWorkspace(scope)
        yield* dataOf({ path: `/workspaces/${id}/credits`, json: { minutes: 600 } })
        const { token } = yield* issueKey(id, { kind: "management", scopes: [scope] })
        for (const route of routes) {
          const { status, text } = yield* send({ ...toCall(route, parameters), key: token })
          const refusal = refusalFor(route, scope)
          if (refusal === undefined) assert.include(permitted(route), status, route.name)
          else assert.deepStrictEqual([status, sentenceOf(text)], [403, refusal], route.name)
        }
      })
    )
  }

  it.effect("can have only scopes of its kind", () =>
    Effect.gen(function* () {
      const { id } = yield* makeTenant("kinds")
      const path = `/workspaces/${id}/keys`
      for (const kind of ["management", "inference"] as const) {
        for (const scope of scopes) {
          const { status } = yield* fetchJson({ path, json: { kind, scopes: [scope] } })
          assert.strictEqual(status, kindScopes[kind].includes(scope) ? 200 : 400)
        }
      }
    })
  )
})

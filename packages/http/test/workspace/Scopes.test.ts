/** Tests on every route what keys with a list of scopes can do. */
import { assert, describe, it, layer } from "@effect/vitest"
import { kindScopes, scopes } from "@verbatim/core/workspace"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { nameUnknown, permitted, type Route, routes, toCall } from "./Routes.ts"
import { dataOf, fetchJson, issueKey, makeTenant, makeWorkspace, send } from "./WorkspaceCalls.ts"

/** Resources, keyed by the first part of a path. */
const resources: Readonly<Record<string, string>> = {
  presets: "presets",
  labels: "presets",
  resolve: "presets",
  transcribe: "transcriptions",
  transcriptions: "transcriptions",
  status: "transcriptions",
  audio: "transcriptions",
  models: "transcriptions",
  usage: "usage",
  ledger: "usage",
  workspaces: "usage"
}

/** Operations that have a body but change nothing. */
const reading = ["post /presets/{slug}/resolve", "post /presets/preview", "post /resolve"]

const protecting = ["put /labels/protected/{label}", "delete /labels/protected/{label}"]

/** Returns the scope that an operation needs. */
const scopeFor = ({ method, name, path }: Route): string => {
  if (protecting.includes(name)) return "labels:{label}"
  const isRead = method === "GET" || reading.includes(name)
  return `${resources[path.split("/")[1] ?? ""]}:${isRead ? "read" : "write"}`
}

/** Operations that also accept the scope of the label in their path. */
const movingLabels = ["put /presets/{slug}/labels/{label}", "delete /presets/{slug}/labels/{label}"]

const ownKeys = ["get /keys", "post /keys", "post /keys/{key_id}/rotate", "delete /keys/{key_id}"]

describe("the description", () => {
  it("requires the write scope if an operation changes something, otherwise the read scope", () => {
    for (const route of routes) {
      if (route.scope !== undefined) assert.strictEqual(route.scope, scopeFor(route), route.name)
    }
    const moving = routes.filter(({ labelScope }) => labelScope !== undefined)
    assert.sameMembers(
      moving.map(({ name }) => name),
      movingLabels
    )
    for (const { labelScope } of moving) assert.strictEqual(labelScope, "labels:{label}")
  })

  it("names a scope for every route, except those for operators and key management", () => {
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

/** Inserts the label in the test's path into a scope from the description. */
const fill = (scope: string | undefined) => scope?.replace("{label}", parameters.label ?? "")

/**
 * Returns the expected refusal of a key that has only this scope; undefined if the key is
 * permitted.
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

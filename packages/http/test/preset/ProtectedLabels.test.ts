/** Tests protected labels over HTTP: which kinds of keys can move and protect them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import {
  dataOf,
  fetchJson,
  issueKey,
  makeTenant,
  refusalOf,
  send
} from "../workspace/WorkspaceCalls.ts"

const target = "/presets/a/labels/production"
const protection = "/labels/protected/production"

/** The operations to attempt on a protected and on an unprotected label. */
const acts = {
  move: { path: target, method: "PUT", json: { version: 1 } },
  remove: { path: target, method: "DELETE" },
  protect: { path: protection, method: "PUT" },
  unprotect: { path: protection, method: "DELETE" }
} as const

type Act = keyof typeof acts

const needsLabel = "This requires a key with the scope labels:production"
const lacksLabel = "The key lacks the scope labels:production"

const management = { kind: "management" }
const writing = { kind: "management", scopes: ["presets:write"] }
const holding = { kind: "management", scopes: ["labels:production"] }

/**
 * Each row has a key, the attempted operation, the label, and the reason for a refusal. Core tests
 * every case.
 */
const rows: ReadonlyArray<readonly [key: object, isProtected: boolean, act: Act, why?: string]> = [
  [{ kind: "inference" }, false, "move", "Only management keys can perform this operation"],
  [management, false, "move"],
  [management, true, "move", needsLabel],
  [management, false, "protect", needsLabel],
  [writing, false, "remove"],
  [writing, true, "remove", needsLabel],
  [writing, true, "unprotect", lacksLabel],
  [holding, true, "move"],
  [holding, true, "remove"],
  [holding, false, "protect"],
  [holding, true, "unprotect"]
]

/** Creates a workspace and a preset with a label, which may be protected. */
const makeScene = Effect.fnUntraced(function* (isProtected: boolean) {
  const { id, management } = yield* makeTenant("protected")
  const key = management.token
  yield* dataOf({ path: "/presets/a/responses", key, json: { model: "one" } })
  yield* dataOf({ path: "/presets/a/responses", key, json: { model: "two" } })
  yield* dataOf({ ...acts.move, key, json: { version: 2 } })
  if (isProtected) yield* send({ path: `/workspaces/${id}${protection}`, method: "PUT" })
  const look = Effect.map(
    fetchJson({ path: target, key }),
    ({ body }) => body.data && [body.data.version, body.data.is_protected]
  )
  return { id, look }
})

/** Returns the expected state of the label after an allowed operation. */
const after = (act: Act, isProtected: boolean) =>
  ({
    move: [1, isProtected],
    remove: undefined,
    protect: [2, true],
    unprotect: [2, false]
  })[act]

layer(Deployment.layer(), { excludeTestServices: true })("a label", (it) => {
  for (const [order, isProtected, act, why] of rows) {
    const label = isProtected ? "a protected label" : "a free label"
    it.effect(`${act} ${label} with ${JSON.stringify(order)}: ${why ?? "allowed"}`, () =>
      Effect.gen(function* () {
        const { id, look } = yield* makeScene(isProtected)
        const { token: key } = yield* issueKey(id, order)
        const { body, status } = yield* fetchJson({ ...acts[act], key })
        const done = act === "move" ? 200 : 204
        assert.deepStrictEqual([status, body?.error?.message], [why ? 403 : done, why])
        assert.deepStrictEqual(yield* look, why ? [2, isProtected] : after(act, isProtected))
      })
    )
  }
})

layer(Deployment.layer(), { excludeTestServices: true })("a label's protection", (it) => {
  it.effect("is shown with its author, both to the workspace and to operators", () =>
    Effect.gen(function* () {
      const { id, inference, management } = yield* makeTenant("shown")
      const holder = yield* issueKey(id, {
        kind: "management",
        user: "alice",
        scopes: ["labels:production"]
      })
      const theirs = `/workspaces/${id}/labels/protected`
      const put = (path: string, key?: string) =>
        Effect.map(send({ path, method: "PUT", key: key ?? Deployment.operatorKey }), (answer) => [
          answer.status,
          answer.text
        ])
      for (const _ of [1, 2]) {
        assert.deepStrictEqual(yield* put(protection, holder.token), [204, ""])
        assert.deepStrictEqual(yield* put(`${theirs}/a-gate`), [204, ""])
      }
      const own = yield* dataOf({ path: "/labels/protected", key: inference.token })
      assert.deepStrictEqual(own, yield* dataOf({ path: theirs }))
      assert.deepStrictEqual(
        own,
        yield* dataOf({ path: "/labels/protected", key: management.token })
      )
      const seen = own.map(({ label, protected_by }: Readonly<Record<string, string>>) => [
        label,
        protected_by
      ])
      assert.deepStrictEqual(seen, [
        ["a-gate", null],
        ["production", holder.user_id]
      ])
      for (const path of [`${theirs}/a-gate`, `${theirs}/never-was`, `${theirs}/production`]) {
        assert.strictEqual((yield* send({ path, method: "DELETE" })).status, 204)
      }
      assert.deepStrictEqual(yield* dataOf({ path: theirs }), [])
    })
  )
})

layer(Deployment.layer(), { excludeTestServices: true })("a label's scope", (it) => {
  it.effect("can be given to keys only by operators", () =>
    Effect.gen(function* () {
      const { id, management } = yield* makeTenant("given")
      const scopes = ["labels:production"]
      const key = management.token
      const refusal = [
        400,
        "Invalid request parameters: scopes: only operators grant labels:production"
      ]
      const json = { kind: "management", scopes }
      assert.deepStrictEqual(yield* refusalOf({ path: "/keys", key, json }), refusal)
      const given = yield* issueKey(id, json)
      const listed = yield* dataOf({ path: "/keys", key })
      assert.deepStrictEqual(listed.at(-1).scopes, scopes)
      const rotate = { path: `/keys/${given.id}/rotate`, json: {} }
      assert.deepStrictEqual(yield* refusalOf({ ...rotate, key }), refusal)
      const next = yield* dataOf({ ...rotate, path: `/workspaces/${id}${rotate.path}` })
      assert.deepStrictEqual(next.scopes, scopes)
    })
  )
})

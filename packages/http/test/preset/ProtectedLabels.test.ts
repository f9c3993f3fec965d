/** Protected labels over HTTP: which kinds of keys can move and protect them. */
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

/** The kinds of keys, with the requests that issue them. */
const orders = {
  inference: { kind: "inference" },
  "management without scopes": { kind: "management" },
  "management with presets:write": { kind: "management", scopes: ["presets:write"] },
  "management with labels:production": { kind: "management", scopes: ["labels:production"] }
} as const

type Kind = keyof typeof orders

const target = "/presets/a/labels/production"
const protection = "/labels/protected/production"

/** The operations attempted on a protected and on an unprotected label. */
const acts = {
  move: { path: target, method: "PUT", json: { version: 1 } },
  remove: { path: target, method: "DELETE" },
  protect: { path: protection, method: "PUT" },
  unprotect: { path: protection, method: "DELETE" }
} as const

type Act = keyof typeof acts
type Answer = "yes" | readonly [status: number, message: string]

const onlyManagement: Answer = [403, "Only management keys can perform this operation"]
const needsLabel: Answer = [403, "This takes a key with the scope labels:production"]
const lacksLabel: Answer = [403, "The key lacks the scope labels:production"]

const all = (answer: Answer) =>
  ({ move: answer, remove: answer, protect: answer, unprotect: answer }) as const

interface Row {
  readonly whileFree: Readonly<Record<Act, Answer>>
  readonly whileProtected: Readonly<Record<Act, Answer>>
}

const always = (answer: Answer): Row => ({ whileFree: all(answer), whileProtected: all(answer) })

const table: Readonly<Record<Kind, Row>> = {
  inference: always(onlyManagement),
  "management without scopes": {
    whileFree: { ...all(needsLabel), move: "yes", remove: "yes" },
    whileProtected: all(needsLabel)
  },
  "management with presets:write": {
    whileFree: { ...all(lacksLabel), move: "yes", remove: "yes" },
    whileProtected: { ...all(lacksLabel), move: needsLabel, remove: needsLabel }
  },
  "management with labels:production": always("yes")
}

/** Makes a workspace with a preset whose label is protected or not. */
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

/** The expected state of the label after an allowed attempt. */
const after = (act: Act, isProtected: boolean) =>
  ({
    move: [1, isProtected],
    remove: undefined,
    protect: [2, true],
    unprotect: [2, false]
  })[act]

const kinds = Object.keys(table) as ReadonlyArray<Kind>

layer(Deployment.layer(), { excludeTestServices: true })("a label", (it) => {
  for (const isProtected of [false, true]) {
    for (const kind of kinds) {
      it.effect(
        `is changed only with permission while ${isProtected ? "protected" : "free"}: ${kind}`,
        () =>
          Effect.gen(function* () {
            for (const act of Object.keys(acts) as ReadonlyArray<Act>) {
              const { id, look } = yield* makeScene(isProtected)
              const { token: key } = yield* issueKey(id, orders[kind])
              const { body, status } = yield* fetchJson({ ...acts[act], key })
              const expected = table[kind][isProtected ? "whileProtected" : "whileFree"][act]
              if (expected === "yes") {
                assert.strictEqual(status, act === "move" ? 200 : 204, act)
                assert.deepStrictEqual(yield* look, after(act, isProtected), act)
              } else {
                assert.deepStrictEqual([status, body.error.message], [...expected], act)
                assert.deepStrictEqual(yield* look, [2, isProtected], act)
              }
            }
          })
      )
    }
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

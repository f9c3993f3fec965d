/** Tests over HTTP that both an operator and the workspace itself can manage keys. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { dataOf, fetchJson, type Issued, makeTenant, refusalOf } from "./WorkspaceCalls.ts"

const fields = [
  "id",
  "workspace_id",
  "kind",
  "name",
  "user",
  "user_id",
  "scopes",
  "hint",
  "created_at",
  "expires_at",
  "revoked_at",
  "last_used_at",
  "limits"
]

/** Operators and the workspace itself use the same operations. */
const managers = ["an operator", "a management key"] as const

const managedBy = Effect.fnUntraced(function* (manager: (typeof managers)[number], name: string) {
  const tenant = yield* makeTenant(name)
  const isOperator = manager === "an operator"
  const path = isOperator ? `/workspaces/${tenant.id}/keys` : "/keys"
  return { tenant, path, key: isOperator ? Deployment.operatorKey : tenant.management.token }
})

const keysOf = (path: string, key: string) => dataOf({ path, key })

/** Returns whether the server accepts a key. */
const isTaken = (token: string) =>
  Effect.map(fetchJson({ path: "/presets", key: token }), ({ status }) => status === 200)

for (const manager of managers) {
  layer(Deployment.layer(), { excludeTestServices: true })(`keys managed by ${manager}`, (it) => {
    it.effect("are issued with a token that is shown only once", () =>
      Effect.gen(function* () {
        const { key, path, tenant } = yield* managedBy(manager, "issued")
        const order = {
          kind: "inference",
          name: "Upload",
          user: "alice",
          scopes: ["presets:read"],
          expires_at: "2999-12-31T23:59:59.999+01:00"
        }
        const { token, ...issued } = yield* dataOf({ path, key, json: order })
        assert.match(token, /^vbi_[0-9a-f]{48}$/)
        assert.hasAllKeys(issued, fields)
        assert.include(issued, {
          workspace_id: tenant.id,
          kind: "inference",
          name: "Upload",
          user: "alice",
          hint: `${token.slice(0, 8)}…`,
          expires_at: "2999-12-31T22:59:59.999Z",
          revoked_at: null,
          last_used_at: null
        })
        assert.deepStrictEqual(issued.scopes, ["presets:read"])
        const { body, text } = yield* fetchJson({ path, key })
        assert.deepStrictEqual(body.data.at(-1), issued)
        assert.isNull(body.next_cursor)
        assert.notInclude(text, token)
        assert.notMatch(text, /hash|[0-9a-f]{48}/)
        assert.isTrue(yield* isTaken(token))
      })
    )

    it.effect(
      "can be replaced by keys with the same settings, while the old keys work for some time",
      () =>
        Effect.gen(function* () {
          const { key, path } = yield* managedBy(manager, "rotated")
          const json = { kind: "inference", name: "n", user: "u", scopes: ["presets:read"] }
          const old: Issued = yield* dataOf({ path, key, json })
          const rotate = (id: string, overlap?: number) => ({
            path: `${path}/${id}/rotate`,
            key,
            json: overlap === undefined ? {} : { overlap_seconds: overlap }
          })
          const next = yield* dataOf(rotate(old.id))
          assert.notStrictEqual(next.token, old.token)
          assert.deepInclude(next, { name: "n", user: "u", scopes: ["presets:read"] })
          assert.strictEqual(next.user_id, old.user_id)
          assert.isTrue(yield* isTaken(old.token))
          const last: Issued = yield* dataOf(rotate(next.id, 0))
          assert.isFalse(yield* isTaken(next.token))
          assert.isTrue(yield* isTaken(last.token))
          // An expired key cannot be replaced.
          assert.deepStrictEqual(yield* refusalOf(rotate(next.id, 10)), [404, "Key not found"])
        })
    )

    it.effect("are revoked permanently", () =>
      Effect.gen(function* () {
        const { key, path, tenant } = yield* managedBy(manager, "revoked")
        const { id, token } = tenant.inference
        const revoke = { path: `${path}/${id}`, key, method: "DELETE" }
        const { headers, status, text } = yield* fetchJson(revoke)
        assert.deepStrictEqual([status, text], [204, ""])
        assert.isNull(headers.get("content-type"))
        assert.isFalse(yield* isTaken(token))
        const { revoked_at } = (yield* keysOf(path, key)).find((each: Issued) => each.id === id)
        assert.match(revoked_at, /Z$/)
      })
    )
  })
}

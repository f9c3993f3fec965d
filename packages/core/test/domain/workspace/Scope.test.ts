import { assert, describe, it } from "@effect/vitest"
import { isAllowed, kindScopes, mayManageKeys, scopes } from "#src/domain/workspace/ApiKey"
import { toUserId } from "#src/domain/workspace/Workspace"

const kinds = ["management", "inference"] as const

describe("the permissions of a key", () => {
  it("are all permissions of its kind if it has no list of scopes", () => {
    for (const kind of kinds) {
      const allowed = scopes.filter((scope) => isAllowed({ kind, scopes: null }, scope))
      assert.deepStrictEqual(allowed, [...kindScopes[kind]])
    }
    assert.isFalse(isAllowed({ kind: "inference", scopes: null }, "presets:write"))
  })

  it("are only those scopes in a key's list that the key's kind allows", () => {
    const listed = ["presets:read", "presets:write", "a scope of a newer program"]
    const of = (kind: (typeof kinds)[number]) =>
      scopes.filter((scope) => isAllowed({ kind, scopes: listed }, scope))
    assert.deepStrictEqual(of("management"), ["presets:read", "presets:write"])
    assert.deepStrictEqual(of("inference"), ["presets:read"])
    assert.isFalse(isAllowed({ kind: "management", scopes: [] }, "presets:read"))
  })

  it("include managing keys only for a management key with all scopes", () => {
    assert.isTrue(mayManageKeys({ kind: "management", scopes: null }))
    assert.isFalse(mayManageKeys({ kind: "management", scopes: [...scopes] }))
    assert.isFalse(mayManageKeys({ kind: "inference", scopes: null }))
  })
})

describe("the id of a user named by a host", () => {
  it("is a version 8 UUID, whatever the digest", () => {
    for (const digit of "0123456789abcdef") {
      const id = toUserId(digit.repeat(64))
      assert.match(id, /^user_[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
    assert.notStrictEqual(toUserId(`${"0".repeat(31)}1`.repeat(2)), toUserId("0".repeat(64)))
  })
})

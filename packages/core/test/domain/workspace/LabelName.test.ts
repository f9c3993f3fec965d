import { assert, describe, it } from "@effect/vitest"
import { findForbiddenScope, isAllowed, isLabelScope, isScope } from "#src/domain/workspace/ApiKey"
import { isLabelName, labelNameMax } from "#src/domain/workspace/LabelName"

describe("the name of a label", () => {
  it("is a lower-case word that is neither a number nor reserved", () => {
    const names = [
      "a",
      "production",
      "eu-west_2",
      "constructor",
      `a${"b".repeat(labelNameMax - 1)}`
    ]
    for (const name of names) assert.isTrue(isLabelName(name), name)
    const others = ["", "1", "1a", "-a", "_a", "A", "ä", "a b", "a.b", "designated", "latest"]
    for (const name of [...others, `a${"b".repeat(labelNameMax)}`, 3, null]) {
      assert.isFalse(isLabelName(name), `${name}`)
    }
  })
})

describe("the scope of a label", () => {
  it("contains the label's name", () => {
    assert.isTrue(isLabelScope("labels:production"))
    assert.isTrue(isScope("labels:production"))
    for (const text of ["labels:", "labels:*", "labels:latest", "labels:3", "label:production"]) {
      assert.isFalse(isScope(text), text)
    }
  })

  it("must be listed explicitly, and only management keys can have it", () => {
    const scopes = ["labels:production"]
    assert.isTrue(isAllowed({ kind: "management", scopes }, "labels:production"))
    assert.isFalse(isAllowed({ kind: "management", scopes }, "labels:staging"))
    assert.isFalse(isAllowed({ kind: "management", scopes: null }, "labels:production"))
    assert.isFalse(isAllowed({ kind: "inference", scopes }, "labels:production"))
  })

  it("can be granted by operators, but not by callers with a key", () => {
    const given = ["presets:read", "labels:production"]
    assert.isUndefined(findForbiddenScope("operator", given))
    assert.strictEqual(findForbiddenScope("key", given), "labels:production")
    assert.isUndefined(findForbiddenScope("key", ["presets:write"]))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { findUngiven, isAllowed, isLabelScope, isScope } from "#src/domain/workspace/ApiKey"
import { isLabelName, labelNameMax } from "#src/domain/workspace/LabelName"

describe("the name of a label", () => {
  it("is a lower-case word that is no number and means nothing else", () => {
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
  it("is named by the label", () => {
    assert.isTrue(isLabelScope("labels:production"))
    assert.isTrue(isScope("labels:production"))
    for (const text of ["labels:", "labels:*", "labels:latest", "labels:3", "label:production"]) {
      assert.isFalse(isScope(text), text)
    }
  })

  it("is had by name alone, and by management keys alone", () => {
    const scopes = ["labels:production"]
    assert.isTrue(isAllowed({ kind: "management", scopes }, "labels:production"))
    assert.isFalse(isAllowed({ kind: "management", scopes }, "labels:staging"))
    assert.isFalse(isAllowed({ kind: "management", scopes: null }, "labels:production"))
    assert.isFalse(isAllowed({ kind: "inference", scopes }, "labels:production"))
  })

  it("is given by operators, and by no key", () => {
    const given = ["presets:read", "labels:production"]
    assert.isUndefined(findUngiven("operator", given))
    assert.strictEqual(findUngiven("key", given), "labels:production")
    assert.isUndefined(findUngiven("key", ["presets:write"]))
  })
})

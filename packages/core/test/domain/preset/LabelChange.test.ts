import { assert, describe, it } from "@effect/vitest"
import {
  label,
  later,
  makeDraft,
  upTo,
  userId,
  versionId,
  workspaceId
} from "@verbatim/testkit/samples"
import { Result } from "effect"

import {
  applyLabelMove,
  type CallerScopes,
  checkLabelMove,
  checkProtection,
  findUnprotectedLabels,
  type ProtectionCaller
} from "#src/domain/preset/LabelChange"
import type { Preset } from "#src/domain/preset/Preset"
import { createPresetFromDraft, versionOf, withNextVersion } from "#src/domain/preset/PresetDraft"
import { labelMax } from "#src/domain/preset/PresetLabels"

import { findVersionNumber } from "#src/domain/preset/VersionSelector"

const at = later(9)
const production = label("production")

const drafts = [makeDraft(1), makeDraft(2), makeDraft(3, { stage: true })]
const [first, second, third] = drafts.map((draft, index) => ({
  ...versionOf(createPresetFromDraft(draft), draft),
  version: index + 1
}))
assert.isDefined(first)
assert.isDefined(second)
assert.isDefined(third)

const born = createPresetFromDraft(makeDraft(1))

/** A preset with three versions: the second is designated, and the third is staged. */
const preset = drafts
  .slice(1)
  .reduce<Preset>(
    (before, draft) =>
      Result.getOrThrow(Result.fromOption(withNextVersion(before, draft), () => "none")),
    born
  )

const moved = (before: Preset, version = first, name = production) =>
  Result.getOrThrow(applyLabelMove(before, { label: name, version, at }))

const tagOf = <A, E extends { readonly _tag: string }>(result: Result.Result<A, E>) =>
  Result.isFailure(result) ? result.failure._tag : "none"

describe("a preset's label", () => {
  it("points to a version, designated or not, and can be moved", () => {
    const one = moved(preset)
    assert.deepStrictEqual(one.labels, {
      [production]: { version: 1, versionId: versionId(1), movedAt: at }
    })
    const other = moved(one, third)
    assert.deepStrictEqual([other.labels[production]?.version, other.revision], [3, 5])
  })

  it("cannot be added to a preset with fifty labels, but those labels can be moved", () => {
    const names = upTo(labelMax).map((number) => label(`label-${number}`))
    const full = names.reduce((before, name) => moved(before, first, name), preset)
    const beyond = { label: production, version: first, at }
    assert.strictEqual(tagOf(applyLabelMove(full, beyond)), "LabelsFull")
    assert.strictEqual(moved(full, second, label("label-7")).labels[label("label-7")]?.version, 2)
  })

  it("selects a version, like a number or one of the words `designated` and `latest`", () => {
    const one = moved(preset)
    const numbers = [7, "production", "designated", "latest"].map((point) =>
      Result.getOrThrow(findVersionNumber(one, point))
    )
    assert.deepStrictEqual(numbers, [7, 1, 2, 3])
    assert.strictEqual(tagOf(findVersionNumber(one, "staging")), "LabelNotFound")
    assert.strictEqual(tagOf(findVersionNumber(one, "toString")), "InvalidRequest")
  })
})

/**
 * Keys, and whether each can move an unprotected label, move a protected one, and protect a label.
 */
const keys: ReadonlyArray<
  readonly [key: CallerScopes | "operator", free: boolean, held: boolean, guards: boolean]
> = [
  ["operator", false, false, true],
  [{ kind: "management" }, true, false, false],
  [{ kind: "management", scopes: null }, true, false, false],
  [{ kind: "management", scopes: [] }, false, false, false],
  [{ kind: "management", scopes: ["presets:read"] }, false, false, false],
  [{ kind: "management", scopes: ["presets:write"] }, true, false, false],
  [{ kind: "management", scopes: ["labels:production"] }, true, true, true],
  [{ kind: "management", scopes: ["presets:write", "labels:production"] }, true, true, true],
  [{ kind: "management", scopes: ["presets:write", "labels:staging"] }, true, false, false],
  [{ kind: "management", scopes: ["labels:prod", "labels:production2"] }, false, false, false],
  [{ kind: "inference" }, false, false, false],
  [{ kind: "inference", scopes: ["labels:production"] }, false, false, false]
]

describe("permission to move a label", () => {
  for (const [key, free, held, guards] of keys) {
    it(`depends on the key's kind and scopes: ${JSON.stringify(key)}`, () => {
      if (key !== "operator") {
        const may = (isProtected: boolean) =>
          checkLabelMove(key, { label: production, isProtected }) === undefined
        assert.deepStrictEqual([may(false), may(true)], [free, held])
      }
      const protector: ProtectionCaller =
        key === "operator"
          ? { kind: "operator", workspaceId: workspaceId(1) }
          : { ...key, workspaceId: workspaceId(1), userId: userId(1) }
      assert.strictEqual(checkProtection(protector, production) === undefined, guards)
    })
  }
})

describe("taking labels out of service", () => {
  it("requires the scope of every protected label, and returns the unprotected labels", () => {
    const staging = label("staging")
    const labelled = moved(moved(preset), second, staging)
    const held = [{ label: production }, { label: label("elsewhere") }]
    const take = (scopes: ReadonlyArray<string> | null, of: Preset = labelled) =>
      findUnprotectedLabels({ kind: "management", scopes }, { preset: of, held })
    assert.strictEqual(tagOf(take(null)), "LabelProtected")
    assert.strictEqual(tagOf(take(["presets:write", "labels:staging"])), "LabelProtected")
    assert.deepStrictEqual(take(["presets:write", "labels:production"]), Result.succeed([staging]))
    assert.deepStrictEqual(take(null, preset), Result.succeed([]))
    assert.strictEqual(
      tagOf(findUnprotectedLabels({ kind: "inference" }, { preset: labelled, held: [] })),
      "ManagementKeyRequired"
    )
  })
})

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
import { moveBetween } from "#src/domain/preset/Designation"
import {
  applyLabelMove,
  applyLabelRemoval,
  isServiceChange,
  judgeLabel,
  judgeProtection,
  type LabelMover,
  type Protector,
  takeLabels
} from "#src/domain/preset/LabelChange"
import type { Preset } from "#src/domain/preset/Preset"
import {
  applyChange,
  applyDesignation,
  applyErasure,
  judgeRemoval
} from "#src/domain/preset/PresetChange"
import { firstPreset, nextPreset, versionOf } from "#src/domain/preset/PresetDraft"
import { labelMax } from "#src/domain/preset/PresetLabels"
import { eraseContent } from "#src/domain/preset/PresetVersion"
import { numberAt } from "#src/domain/preset/VersionPoint"

const at = later(9)
const production = label("production")

const drafts = [makeDraft(1), makeDraft(2), makeDraft(3, { stage: true })]
const [first, second, third] = drafts.map((draft, index) => ({
  ...versionOf(firstPreset(draft), draft),
  version: index + 1
}))
assert.isDefined(first)
assert.isDefined(second)
assert.isDefined(third)

const born = firstPreset(makeDraft(1))

/** With three versions, of which the second is designated and the third is staged. */
const preset = drafts
  .slice(1)
  .reduce<Preset>(
    (before, draft) =>
      Result.getOrThrow(Result.fromOption(nextPreset(before, draft), () => "none")),
    born
  )

const moved = (before: Preset, version = first, name = production) =>
  Result.getOrThrow(applyLabelMove(before, { label: name, version, at }))

const tagOf = <A, E extends { readonly _tag: string }>(result: Result.Result<A, E>) =>
  Result.isFailure(result) ? result.failure._tag : "none"

const archived = Result.getOrThrow(applyChange(preset, { change: { status: "archived" }, at }))

describe("a staged version", () => {
  it("is the latest one, and leaves the designated one as it is", () => {
    assert.deepStrictEqual([preset.latestVersion, preset.designatedVersion], [3, 2])
    assert.strictEqual(preset.designatedVersionId, versionId(2))
  })
})

describe("a label", () => {
  it("points to a version, designated or not, and to another one later", () => {
    const one = moved(preset)
    assert.deepStrictEqual(one.labels, {
      [production]: { version: 1, versionId: versionId(1), movedAt: at }
    })
    const other = moved(one, third)
    assert.deepStrictEqual([other.labels[production]?.version, other.revision], [3, 5])
  })

  it("that points there already changes nothing", () => {
    const one = moved(preset)
    assert.strictEqual(moved(one), one)
  })

  it("goes, and leaves the others", () => {
    const two = moved(moved(preset), second, label("constructor"))
    const left = Result.getOrThrow(applyLabelRemoval(two, { label: production, at }))
    assert.deepStrictEqual(Object.keys(left.labels), ["constructor"])
    assert.strictEqual(tagOf(applyLabelRemoval(left, { label: production, at })), "LabelNotFound")
    assert.strictEqual(
      tagOf(applyLabelRemoval(preset, { label: label("constructor"), at })),
      "LabelNotFound"
    )
  })

  it("is one of fifty at most, and those move on", () => {
    const names = upTo(labelMax).map((number) => label(`label-${number}`))
    const full = names.reduce((before, name) => moved(before, first, name), preset)
    const beyond = { label: production, version: first, at }
    assert.strictEqual(tagOf(applyLabelMove(full, beyond)), "LabelsFull")
    assert.strictEqual(moved(full, second, label("label-7")).labels[label("label-7")]?.version, 2)
  })

  it("of an archived preset stays as it is", () => {
    const wanted = { label: production, version: first, at }
    assert.strictEqual(tagOf(applyLabelMove(archived, wanted)), "IllegalTransition")
    assert.strictEqual(
      tagOf(applyLabelRemoval(archived, { label: production, at })),
      "IllegalTransition"
    )
  })

  it("has a history that says where it came from, and that it is gone", () => {
    const one = moved(preset)
    const gone = Result.getOrThrow(applyLabelRemoval(one, { label: production, at }))
    const by = { by: userId(1), label: production }
    const steps = [
      moveBetween({ before: preset, next: one }, by),
      moveBetween({ before: one, next: gone }, by)
    ]
    assert.deepStrictEqual(
      steps.map(({ from, revision, to }) => [revision, from, to]),
      [
        [4, null, 1],
        [5, 1, null]
      ]
    )
  })

  it("names a version beside numbers, the designated and the latest one", () => {
    const one = moved(preset)
    const numbers = [7, "production", "designated", "latest"].map((point) =>
      Result.getOrThrow(numberAt(one, point))
    )
    assert.deepStrictEqual(numbers, [7, 1, 2, 3])
    assert.strictEqual(tagOf(numberAt(one, "staging")), "LabelNotFound")
    assert.strictEqual(tagOf(numberAt(one, "toString")), "InvalidRequest")
  })
})

describe("an erased version", () => {
  const erased = eraseContent(third, { at, by: userId(1) })

  it("keeps all but its content", () => {
    assert.deepStrictEqual(erased, {
      ...third,
      config: {},
      systemPrompt: null,
      erased: { at, by: userId(1) }
    })
  })

  it("is neither designated nor labelled again", () => {
    assert.strictEqual(tagOf(applyDesignation(preset, { version: erased, at })), "VersionErased")
    assert.strictEqual(
      tagOf(applyLabelMove(preset, { label: production, version: erased, at })),
      "VersionErased"
    )
  })

  it("was in no use, and is erased once", () => {
    const by = userId(1)
    const erase = (before: Preset, version = third) => applyErasure(before, { version, by, at })
    assert.strictEqual(Result.getOrThrow(erase(preset)).revision, preset.revision + 1)
    assert.strictEqual(Result.getOrThrow(erase(preset, erased)), preset)
    const designated = erase(preset, second)
    assert.strictEqual(
      Result.isFailure(designated) && designated.failure.message,
      "Version 2 of the preset support is designated"
    )
    const labelled = erase(moved(preset, third))
    assert.strictEqual(
      Result.isFailure(labelled) && labelled.failure.message,
      "Version 3 of the preset support has the label production"
    )
    assert.isTrue(Result.isSuccess(erase(archived)))
  })
})

describe("a preset", () => {
  it("is removed only when it is archived", () => {
    assert.isUndefined(judgeRemoval(archived))
    assert.strictEqual(
      judgeRemoval(preset)?.message,
      "The preset support is active: only an archived one can be removed"
    )
  })
})

/** Keys, and whether they may move the label while it is free and while not, and protect it. */
const keys: ReadonlyArray<
  readonly [key: LabelMover | "operator", free: boolean, held: boolean, guards: boolean]
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

describe("who may move a label", () => {
  for (const [key, free, held, guards] of keys) {
    it(`is told of ${JSON.stringify(key)}`, () => {
      if (key !== "operator") {
        const may = (isProtected: boolean) =>
          judgeLabel(key, { label: production, isProtected }) === undefined
        assert.deepStrictEqual([may(false), may(true)], [free, held])
      }
      const protector: Protector =
        key === "operator"
          ? { kind: "operator", workspaceId: workspaceId(1) }
          : { ...key, workspaceId: workspaceId(1), userId: userId(1) }
      assert.strictEqual(judgeProtection(protector, production) === undefined, guards)
    })
  }
})

describe("the service of labels", () => {
  it("ends with a status, and with nothing else that may be done to a preset", () => {
    const status = (to: "active" | "archived" | "disabled", from = preset) =>
      Result.getOrThrow(applyChange(from, { change: { status: to }, at }))
    const disabled = status("disabled")
    assert.isTrue(isServiceChange(preset, disabled))
    assert.isTrue(isServiceChange(disabled, preset))
    assert.isTrue(isServiceChange(disabled, archived))
    assert.isTrue(isServiceChange(archived, status("active", archived)))
    const described = applyChange(preset, { change: { name: "n", status: "active" }, at })
    assert.isFalse(isServiceChange(preset, Result.getOrThrow(described)))
    const designated = applyDesignation(preset, { version: first, at })
    assert.isFalse(isServiceChange(preset, Result.getOrThrow(designated)))
    assert.isFalse(isServiceChange(preset, moved(preset)))
  })

  it("takes the scope of each protected label, and tells which others it was decided on", () => {
    const staging = label("staging")
    const labelled = moved(moved(preset), second, staging)
    const held = [{ label: production }, { label: label("elsewhere") }]
    const take = (scopes: ReadonlyArray<string> | null, of: Preset = labelled) =>
      takeLabels({ kind: "management", scopes }, { preset: of, held })
    assert.strictEqual(tagOf(take(null)), "LabelProtected")
    assert.strictEqual(tagOf(take(["presets:write", "labels:staging"])), "LabelProtected")
    assert.deepStrictEqual(take(["presets:write", "labels:production"]), Result.succeed([staging]))
    assert.deepStrictEqual(take(null, preset), Result.succeed([]))
    assert.strictEqual(
      tagOf(takeLabels({ kind: "inference" }, { preset: labelled, held: [] })),
      "ManagementKeyRequired"
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { later, makeDraft } from "@verbatim/testkit/samples"
import { Result, Schema } from "effect"
import * as Preset from "#src/domain/preset/Preset"
import {
  applyChange,
  descriptionMax,
  nameMax,
  PresetChange,
  statuses
} from "#src/domain/preset/PresetChange"
import { createPresetFromDraft } from "#src/domain/preset/PresetDraft"

const first = makeDraft(1)

const active = createPresetFromDraft(first)

const at = later(5)

const changed = (preset: Preset.Preset, change: PresetChange) =>
  Result.getOrThrow(applyChange(preset, { change, at }))

const disabled = changed(active, { status: "disabled" })
const archived = changed(active, { status: "archived" })

const isRefused = (preset: Preset.Preset, change: PresetChange) =>
  Result.isFailure(applyChange(preset, { change, at }))

describe("a change to a preset", () => {
  it("changes the status and records the time", () => {
    assert.deepStrictEqual(disabled, {
      ...active,
      _tag: "Disabled",
      revision: 2,
      statusUpdatedAt: at,
      updatedAt: at
    })
  })

  it("produces two events if it both describes and archives a preset", () => {
    for (const preset of [active, disabled]) {
      const shelved = changed(preset, { status: "archived", name: "Support" })
      assert.deepStrictEqual(
        [shelved._tag, shelved.name, shelved.revision],
        ["Archived", "Support", preset.revision + 2]
      )
    }
    assert.isTrue(isRefused(archived, { status: "archived", name: "Support" }))
  })

  it.prop(
    "sets its own fields, keeps all other fields, and is idempotent",
    [Preset.State, PresetChange],
    ([preset, change]) => {
      const result = applyChange(preset, { change, at })
      if (Result.isFailure(result)) return
      const { description = preset.description, name = preset.name } = change
      const status = change.status ?? statuses[preset._tag]
      const next = result.success
      assert.deepStrictEqual(
        [statuses[next._tag], next.name, next.description],
        [status, name, description]
      )
      const { designatedVersion, id, latestVersion, slug, workspaceId } = preset
      assert.deepInclude(next, { designatedVersion, id, latestVersion, slug, workspaceId })
      assert.strictEqual(changed(next, change), next)
      assert.strictEqual(next === preset, next.revision === preset.revision)
    }
  )

  it.prop(
    "is refused if and only if it would change an archived preset",
    [Preset.State, PresetChange],
    ([preset, change]) => {
      const { description = preset.description, name = preset.name } = change
      const from = statuses[preset._tag]
      const to = change.status ?? from
      const isDescribed = name !== preset.name || description !== preset.description
      const isIllegal =
        from === "archived" && (to === "disabled" || (to === "archived" && isDescribed))
      assert.strictEqual(isRefused(preset, change), isIllegal)
    }
  )
})

const isChange = Schema.is(PresetChange)

const boundaries: ReadonlyArray<readonly [title: string, change: unknown, isAccepted: boolean]> = [
  ["nothing", {}, true],
  ["a name with one character", { name: "x" }, true],
  ["an empty name", { name: "" }, false],
  ["null for a name", { name: null }, false],
  ["the longest name, in code points", { name: "🎙".repeat(nameMax) }, true],
  ["a longer name", { name: "x".repeat(nameMax + 1) }, false],
  ["an empty description", { description: "" }, true],
  ["null for a description", { description: null }, true],
  ["the longest description", { description: "🎙".repeat(descriptionMax) }, true],
  ["a longer description", { description: "x".repeat(descriptionMax + 1) }, false],
  ["a status", { status: "archived" }, true],
  ["an unknown status", { status: "deleted" }, false],
  ["null for a status", { status: null }, false]
]

describe("the schema of a change to a preset", () => {
  for (const [title, change, isAccepted] of boundaries) {
    it(`${isAccepted ? "accepts" : "refuses"} ${title}`, () =>
      assert.strictEqual(isChange(change), isAccepted))
  }
})

import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { PresetStatus } from "#src/domain/preset/PresetChange"
import type { PresetContent } from "#src/domain/preset/PresetContent"
import type { PresetFile } from "#src/domain/preset/PresetPlan"
import {
  findPointedVersion,
  type PlanStep,
  planPreset,
  type StoredPreset,
  type StoredVersion
} from "#src/domain/preset/PresetPlan"
import { PresetSlug } from "#src/domain/preset/PresetSlug"
import { PresetVersionId } from "#src/domain/preset/PresetVersion"

const slug = PresetSlug.make("notes")

const content = (model: string): PresetContent => ({
  format: "responses",
  systemPrompt: null,
  config: { model },
  wins: []
})

const versionOf = (version: number, said: PresetContent): StoredVersion => ({
  ...said,
  version,
  id: PresetVersionId.make(`01900000-0000-7000-8000-00000000000${version}`)
})

const models = ["a", "b", "c"] as const

const model = Arbitrary.schema(Schema.Literals(models))

const file: Arbitrary.Arbitrary<PresetFile> = Arbitrary.map(
  Arbitrary.all([
    Arbitrary.schema(PresetStatus),
    model,
    Arbitrary.schema(Schema.Literals(["x", "y"]))
  ]),
  ([status, says, name]) => ({ slug, status, name, description: null, content: content(says) })
)

/** A preset with up to three versions, a label and a designated version. */
const preset: Arbitrary.Arbitrary<StoredPreset> = Arbitrary.map(
  Arbitrary.all([
    file,
    Arbitrary.array(model, { minLength: 1, maxLength: 3 }),
    Arbitrary.all([
      Arbitrary.schema(Schema.Literals([0, 1, 2])),
      Arbitrary.schema(Schema.Literals([0, 1, 2]))
    ])
  ]),
  ([{ description, name, status }, says, [designated, labelled]]) => ({
    ...{ slug, name, description, status },
    designatedVersion: (designated % says.length) + 1,
    latestVersion: says.length,
    labels: new Map([["live", (labelled % says.length) + 1]]),
    versions: says.map((said, index) => versionOf(index + 1, content(said)))
  })
)

const born: StoredPreset = {
  ...{ slug, name: slug, description: null, status: "active" },
  ...{ designatedVersion: 1, latestVersion: 1, labels: new Map(), versions: [] }
}

/** Applies a step to a preset as the store would. */
const act = (held: StoredPreset | undefined, step: PlanStep, wanted: PresetFile): StoredPreset => {
  if (step._tag === "Create") return { ...born, versions: [versionOf(1, wanted.content)] }
  if (held === undefined) return assert.fail("there is no preset")
  const next = held.latestVersion + 1
  const versions = [...held.versions, versionOf(next, wanted.content)]
  const isShut = held.status === "archived"
  switch (step._tag) {
    case "Revise":
      if (isShut) assert.strictEqual(step.change.status, "active")
      return { ...held, ...(step.change as Partial<StoredPreset>) }
    case "Add":
      assert.isFalse(isShut)
      return { ...held, versions, latestVersion: next, designatedVersion: next }
    case "Stage":
      return { ...held, versions, latestVersion: next }
    case "Designate":
      assert.isFalse(isShut)
      return { ...held, designatedVersion: step.version }
    case "Point":
      return { ...held, labels: new Map([["live", step.version ?? held.latestVersion]]) }
  }
}

const isLive = ({ status }: StoredPreset): boolean => status === "active"

const labels = [null, "live"] as const

describe("a plan to apply a preset file", () => {
  it.prop(
    "makes the preset equal to the file without extra versions, even after an interruption",
    [Arbitrary.all([preset, Arbitrary.schema(Schema.Boolean)]), file],
    ([[there, isThere], wanted]) => {
      for (const label of labels) {
        const held = isThere ? there : undefined
        const { obstacle, steps } = planPreset({ held, wanted, label })
        if (obstacle !== null) continue
        for (let stop = 0; stop <= steps.length; stop += 1) {
          const done = steps.slice(0, stop)
          const now = done.reduce<typeof held>((from, step) => act(from, step, wanted), held)
          const rest = planPreset({ held: now, wanted, label })
          const end = rest.steps.reduce<typeof held>((from, step) => act(from, step, wanted), now)
          assert.deepStrictEqual(planPreset({ held: end, wanted, label }).steps, [])
          assert.isAtMost((end?.latestVersion ?? 0) - (held?.latestVersion ?? 0), 1)
          const pointed = end && findPointedVersion(end, label)
          assert.deepStrictEqual(pointed?.config, wanted.content.config)
          if (label === null) assert.strictEqual(end?.status, wanted.status)
        }
      }
    }
  )

  it.prop(
    "never makes new content live unless the preset is active in the file",
    [preset, file],
    ([held, wanted]) => {
      const { steps } = planPreset({ held, wanted, label: null })
      let now: StoredPreset = held
      for (const step of steps) {
        now = act(now, step, wanted)
        const isNew =
          findPointedVersion(now, null)?.config.model !==
          findPointedVersion(held, null)?.config.model
        if (isNew && isLive(now)) assert.strictEqual(wanted.status, "active")
      }
    }
  )

  it("reports an obstacle instead of changing the content of a preset that stays archived", () => {
    const archived: StoredPreset = {
      ...born,
      status: "archived",
      versions: [versionOf(1, content("a"))]
    }
    const wanted: PresetFile = {
      ...{ slug, name: slug, description: null },
      status: "archived",
      content: content("b")
    }
    assert.strictEqual(planPreset({ held: archived, wanted, label: null }).obstacle, "archived")
  })
})

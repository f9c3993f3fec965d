/** Histories of writers that were once hard to explain. */
import { assert, describe, it } from "@effect/vitest"
import * as Preset from "@verbatim/core/preset"
import { applyChange } from "@verbatim/core/preset"
import { DateTime, Effect, Result } from "effect"
import { type Call, type Command, explain } from "#src/laws/PresetHistory"
import { presetId, userId, versionId, workspaceId } from "#src/samples/Ids"
import { slug } from "#src/samples/SamplePreset"

const at = DateTime.makeUnsafe(0)
const version = {
  id: versionId(1),
  presetId: presetId(1),
  version: 1,
  creatorId: userId(1),
  format: "responses" as const,
  systemPrompt: null,
  config: {},
  wins: [],
  comment: null,
  erased: null,
  createdAt: at,
  updatedAt: at
}

const born = Preset.createPreset({
  id: version.presetId,
  workspaceId: workspaceId(1),
  slug: slug("support"),
  creatorUserId: userId(1),
  versionId: version.id,
  at
})

const archive: Command = { _tag: "Revise", change: { status: "archived", name: "a" } }

const attempt = (
  [began, ended]: readonly [number, number],
  { command, ...told }: Pick<Call, "command" | "outcome"> & { readonly user?: number }
): Call => ({ began, ended, command, by: userId(told.user ?? 1), outcome: told.outcome })

describe("A history of writers", () => {
  it.effect("names the earlier of two who wanted the same as the one who did it", () =>
    Effect.gen(function* () {
      const archived = yield* Effect.fromResult(applyChange(born, { at, change: archive.change }))
      const asArchived = Result.succeed({ preset: archived, version })
      const attempts = [
        attempt([0, 2], {
          command: { _tag: "Create", stage: false },
          outcome: Result.succeed({ preset: born, version })
        }),
        attempt([3, 5], {
          command: { _tag: "Designate", version: 1 },
          outcome: Result.fail("PresetInactive")
        }),
        attempt([6, 7], { command: archive, outcome: asArchived }),
        attempt([1, 4], { command: archive, outcome: asArchived, user: 2 })
      ]
      const steps = yield* Effect.fromResult(explain(attempts))
      assert.deepStrictEqual(
        steps.map((step) => step.attempt.began),
        [0, 1]
      )
    })
  )
})

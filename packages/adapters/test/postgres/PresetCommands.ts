/** Commands to the store of presets, chosen like the others. */

import { PresetStore } from "@verbatim/core/ports"
import { Event } from "@verbatim/core/preset"
import {
  awkwardTexts,
  foundPreset,
  later,
  makeDraft,
  presetId,
  revisionOf,
  slug,
  versionId,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Option } from "effect"
import * as fc from "fast-check"
import { page, step, texts, to } from "./Step.ts"

const presetEvents = {
  Described: (at: number, text: string) =>
    Event.cases.Described.make({ at: later(at), name: text, description: text || null }),
  Suspended: (at: number) => Event.cases.Suspended.make({ at: later(at) }),
  Resumed: (at: number) => Event.cases.Resumed.make({ at: later(at) }),
  Shelved: (at: number) => Event.cases.Shelved.make({ at: later(at) })
}

const eventNames = ["Described", "Suspended", "Resumed", "Shelved"] as const

/** Asks something of the preset with that slug, where there is one. */
export const ofPreset = <A>(
  text: string,
  ask: (store: PresetStore["Service"], id: ReturnType<typeof presetId>) => Effect.Effect<A, unknown>
) =>
  Effect.gen(function* () {
    const preset = yield* foundPreset(text)
    const store = yield* PresetStore
    return Option.isNone(preset) ? "none" : yield* ask(store, preset.value.preset.id)
  })

export const changesOfPresets = [
  step(
    "append",
    fc.tuple(fc.constantFrom(1, 1, 1, 2, 3), texts, fc.constantFrom(...awkwardTexts, null)),
    ([workspace, text, systemPrompt], number) =>
      Effect.flatMap(PresetStore, (store) =>
        store.append(
          makeDraft(number, {
            workspaceId: workspaceId(workspace),
            slug: slug(text),
            presetId: presetId(number),
            versionId: versionId(number),
            systemPrompt
          })
        )
      )
  ),
  step(
    "revise",
    fc.tuple(texts, fc.constantFrom(...eventNames), fc.constantFrom(...awkwardTexts), to(5)),
    ([text, name, words, staleness], number) =>
      Effect.gen(function* () {
        const preset = yield* foundPreset(text)
        if (Option.isNone(preset)) return "none"
        const event = presetEvents[name](number, words)
        const revision = yield* Effect.try(() => revisionOf(preset.value.preset, { event }))
        const expectedRevision = revision.expectedRevision - (staleness === 5 ? 1 : 0)
        return yield* (yield* PresetStore).revise({ ...revision, expectedRevision })
      })
  ),
  step("designate", fc.tuple(texts, to(4)), ([text, version], number) =>
    Effect.gen(function* () {
      const preset = yield* foundPreset(text)
      const store = yield* PresetStore
      if (Option.isNone(preset)) return "none"
      const wanted = yield* store.version(preset.value.preset.id, version)
      if (Option.isNone(wanted)) return "no such version"
      const { id } = wanted.value
      const event = Event.cases.Designated.make({ at: later(number), version, versionId: id })
      return yield* store.revise(
        yield* Effect.try(() => revisionOf(preset.value.preset, { event }))
      )
    })
  )
]

export const looksAtPresets = [
  step("preset", texts, foundPreset),
  step("list", fc.tuple(to(3), page), ([n, stretch]) =>
    Effect.flatMap(PresetStore, (store) => store.list(workspaceId(n), stretch))
  ),
  step("versions", fc.tuple(texts, page), ([text, stretch]) =>
    ofPreset(text, (store, id) => store.versions(id, stretch))
  ),
  step("designations", fc.tuple(texts, page), ([text, stretch]) =>
    ofPreset(text, (store, id) => store.designations(id, stretch))
  ),
  step("designatedAt", fc.tuple(texts, to(20)), ([text, at]) =>
    ofPreset(text, (store, id) => store.designatedAt(id, later(at)))
  )
]

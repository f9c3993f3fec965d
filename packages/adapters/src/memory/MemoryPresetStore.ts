/**
 * `PresetStore` in the memory of the process.
 */

import { type PresetDraft, PresetStore, PresetStoreError } from "@verbatim/core/ports/PresetStore"
import { type Preset, State } from "@verbatim/core/preset/Preset"
import type { PresetId } from "@verbatim/core/preset/PresetId"
import type { PresetSlug } from "@verbatim/core/preset/PresetSlug"
import type { PresetVersion } from "@verbatim/core/preset/PresetVersion"
import type { WorkspaceId } from "@verbatim/core/workspace/Workspace"
import { Effect, Layer, Option } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"

const keyOf = (workspaceId: WorkspaceId, slug: PresetSlug): string => `${workspaceId}/${slug}`

const created = (draft: PresetDraft): Preset =>
  State.cases.Active.make({
    id: draft.presetId,
    workspaceId: draft.workspaceId,
    slug: draft.slug,
    name: draft.slug,
    description: null,
    creatorUserId: draft.creatorId,
    latestVersion: 1,
    designatedVersion: 1,
    designatedVersionId: draft.versionId,
    statusUpdatedAt: null,
    createdAt: draft.at,
    updatedAt: draft.at
  })

const grown = (preset: Preset, draft: PresetDraft): Preset => ({
  ...preset,
  latestVersion: preset.latestVersion + 1,
  designatedVersion: preset.latestVersion + 1,
  designatedVersionId: draft.versionId,
  updatedAt: draft.at
})

const versionOf = (preset: Preset, draft: PresetDraft): PresetVersion => ({
  id: draft.versionId,
  presetId: preset.id,
  version: preset.latestVersion,
  creatorId: draft.creatorId,
  systemPrompt: draft.systemPrompt,
  config: draft.config,
  createdAt: draft.at,
  updatedAt: draft.at
})

/** The presets of the process. */
export const layer: Layer.Layer<PresetStore, never, MemoryDatabase> = Layer.effect(
  PresetStore,
  Effect.gen(function* () {
    const { accounts, presets, versions } = yield* MemoryDatabase

    const append = Effect.fn("MemoryPresetStore.append")(function* (draft: PresetDraft) {
      const refuse = (reason: PresetStoreError["reason"]) =>
        new PresetStoreError({ operation: "append", reason })
      if (!accounts.has(draft.workspaceId)) return yield* refuse({ _tag: "WorkspaceMissing" })
      const key = keyOf(draft.workspaceId, draft.slug)
      const old = presets.get(key)
      if (old?._tag === "Archived") return yield* refuse({ _tag: "Archived" })
      const preset = old === undefined ? created(draft) : grown(old, draft)
      const version = versionOf(preset, draft)
      presets.set(key, preset)
      versions.set(preset.id, [...(versions.get(preset.id) ?? []), version])
      return { preset, version }
    })

    const find = Effect.fn("MemoryPresetStore.find")((workspaceId: WorkspaceId, slug: PresetSlug) =>
      Effect.sync(() => {
        const preset = presets.get(keyOf(workspaceId, slug))
        if (preset === undefined) return Option.none()
        // Versions are dense, so a number is a place in the list.
        const version = versions.get(preset.id)?.[preset.designatedVersion - 1]
        return version === undefined ? Option.none() : Option.some({ preset, version })
      })
    )

    return PresetStore.of({
      append,
      find,
      versions: Effect.fn("MemoryPresetStore.versions")((presetId: PresetId) =>
        Effect.sync(() => versions.get(presetId) ?? [])
      )
    })
  })
)

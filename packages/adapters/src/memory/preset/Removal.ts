/**
 * Removes presets in memory: a single archived preset, or all presets of a workspace, a few at a
 * time.
 */
import { type PresetStore, PresetStoreError, type Removal } from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect } from "effect"
import type { Tables } from "../MemoryDatabase.ts"
import { isAnyProtected } from "./Labels.ts"
import { forgetPreset } from "./PresetTables.ts"

/** The store's methods that remove presets. */
export const removalMethods = (
  tables: Tables
): Pick<PresetStore["Service"], "clear" | "remove" | "sweep"> => ({
  remove: Effect.fnUntraced(function* (removal: Removal) {
    const { expectedRevision, freeLabels, presetId } = removal
    const stored = tables.presets.get(presetId)
    if (stored === undefined) return
    const isStale =
      stored.revision !== expectedRevision ||
      stored._tag !== "Archived" ||
      isAnyProtected(tables, { ...stored, labels: freeLabels })
    if (isStale) {
      return yield* new PresetStoreError({ operation: "remove", reason: { _tag: "Superseded" } })
    }
    forgetPreset(tables, stored)
  }),
  // A removal deletes all rows immediately, so there is nothing to sweep.
  sweep: () => Effect.succeed(false),
  // A preset and everything that refers to it count as one row here.
  clear: (workspaceId: WorkspaceId, rowMax: number) =>
    Effect.sync(() => {
      const own = [...tables.presets.values()].filter((each) => each.workspaceId === workspaceId)
      for (const preset of own.slice(0, rowMax)) forgetPreset(tables, preset)
      if (own.length <= rowMax) tables.protectedLabels.delete(workspaceId)
      return own.length > rowMax
    })
})

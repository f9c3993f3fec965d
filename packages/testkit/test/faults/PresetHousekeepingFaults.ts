import { PresetStore } from "@verbatim/core/ports"
import { eraseContent } from "@verbatim/core/preset"
import { Effect } from "effect"
import { doAfterRefusal, plantFaults } from "./Fault.ts"

export const presetHousekeepingFaults = plantFaults(PresetStore, {
  "adds a staged version and goes on designating the one before": {
    "designates what is only staged": ({ append }) => ({
      append: (draft) => append({ ...draft, stage: false })
    })
  },
  "adds a staged draft once, with its key too, and tells repeats what is designated now": {
    "shows a repeat the staged version as designated": ({ append }) => ({
      append: (draft) => append(draft.versionId.endsWith("2") ? { ...draft, stage: false } : draft)
    })
  },
  "takes the content of a version away wherever it is shown, and keeps the rest of it": {
    "erases nothing": ({ revise }) => ({
      revise: ({ erasure: _, ...revision }) => revise(revision)
    })
  },
  "erases nothing when the preset has changed since": {
    "erases although it refuses": ({ revise }, { versions }) => ({
      revise: doAfterRefusal(revise, ({ erasure, next: { id } }) => {
        const list = versions.get(id)
        const [first] = list ?? []
        if (erasure === undefined || first === undefined) return
        list?.splice(0, 1, eraseContent(first, { at: erasure.at, by: erasure.by }))
      })
    })
  },
  "removes an archived preset at once: nothing shows it, and its slug and keys are free": {
    "takes a removal for done": () => ({ remove: () => Effect.void })
  },
  "leaves nothing of a removed preset once its rows are swept, a few at a time": {
    "leaves the versions of a removed preset": ({ remove }, { versions }) => ({
      remove: (removal) =>
        Effect.suspend(() => {
          const kept = versions.get(removal.presetId) ?? []
          return Effect.tap(remove(removal), () =>
            Effect.sync(() => versions.set(removal.presetId, kept))
          )
        })
    })
  },
  "removes no preset that is not archived, or that was changed since": {
    "removes whatever it is asked to": ({ remove }, { presets }) => ({
      remove: (removal) =>
        Effect.suspend(() => {
          const stored = presets.get(removal.presetId)
          if (stored === undefined) return remove(removal)
          presets.set(stored.id, { ...stored, _tag: "Archived" })
          return remove({ ...removal, expectedRevision: stored.revision })
        })
    })
  },
  "removes no preset whose label was taken for free and is protected": {
    "removes protected labels with their preset": ({ remove }) => ({
      remove: (removal) => remove({ ...removal, freeLabels: [] })
    })
  },
  "clears a workspace of removed presets and protected labels too": {
    "leaves the protected labels of a workspace": ({ clear }, { protectedLabels }) => ({
      clear: (id, rowMax) =>
        Effect.suspend(() => {
          const kept = protectedLabels.get(id) ?? []
          return Effect.tap(clear(id, rowMax), () =>
            Effect.sync(() => protectedLabels.set(id, kept))
          )
        })
    })
  }
})

import { PresetStore } from "@verbatim/core/ports"
import { eraseContent, type PresetDraft } from "@verbatim/core/preset"
import { DateTime, Effect, Option } from "effect"
import { doAfterRefusal, doBefore, plantFaults, type Replacement, type Tables } from "./Fault.ts"

const withoutKey = (draft: PresetDraft): PresetDraft => ({ ...draft, request: Option.none() })

/** Writes the record of a draft in addition to what the adapter does. */
const recorded = ({ presetKeys }: Tables, draft: PresetDraft) =>
  Effect.map(DateTime.now, (at) => {
    if (Option.isNone(draft.request)) return
    const { fingerprint, key } = draft.request.value
    presetKeys.set(`${draft.workspaceId}/${key}`, { fingerprint, versionId: draft.versionId, at })
  })

/** The memory adapter with records that seem to be older, or younger. */
const aged =
  (hours: number): Replacement<PresetStore["Service"]> =>
  ({ append }, { presetKeys }) => ({
    append: (draft) =>
      Effect.tap(append(draft), () =>
        Effect.sync(() => {
          for (const [key, row] of presetKeys) {
            presetKeys.set(key, { ...row, at: DateTime.add(row.at, { hours: -hours }) })
          }
        })
      )
  })

export const presetKeyFaults = plantFaults(PresetStore, {
  // Writes down keys and does not look at them.
  "remembers what was made under a key, and adds no second version under it": (
    { append },
    tables
  ) => ({
    append: (draft) => Effect.tap(append(withoutKey(draft)), () => recorded(tables, draft))
  }),
  // Looks at a key before others write.
  "adds one version of many drafts at once under one key": ({ append, made }, tables) => ({
    append: (draft) =>
      Effect.gen(function* () {
        if (Option.isNone(draft.request)) return yield* append(draft)
        const first = yield* made(draft.workspaceId, draft.request.value.key)
        if (Option.isSome(first)) return yield* append(draft)
        yield* Effect.yieldNow
        const answer = yield* append(withoutKey(draft))
        yield* recorded(tables, draft)
        return answer
      })
  }),
  // Lets a key go after 23 hours.
  "lets a key go after 24 hours, not before": aged(1),
  // Adds a draft each time it comes.
  "adds a draft once, however often it comes": ({ append }, { drafted }) => ({
    append: doBefore(append, (draft) => drafted.delete(draft.versionId))
  }),
  // Takes a draft that comes again for another one under its key.
  "adds a draft under a key once, however often it comes": ({ append }, { drafted }) => ({
    append: doBefore(append, (draft) => {
      if (Option.isSome(draft.request)) drafted.delete(draft.versionId)
    })
  }),
  // Takes a revision that comes again for another one.
  "makes a revision once, however often it comes": ({ revise }, { changes }) => ({
    revise: doBefore(revise, () => changes.clear())
  }),
  // Remembers a revision that was refused as made.
  "makes a revision that was refused once it is decided on what is there": (
    { revise },
    { changes }
  ) => ({
    revise: doAfterRefusal(revise, ({ id }) => changes.add(id))
  })
})

export const presetHousekeepingFaults = plantFaults(PresetStore, {
  // Designates what is only staged.
  "adds a staged version and goes on designating the one before": ({ append }) => ({
    append: (draft) => append({ ...draft, stage: false })
  }),
  // Shows a repeat the staged version as designated.
  "adds a staged draft once, with its key too, and tells repeats what is designated now": ({
    append
  }) => ({
    append: (draft) => append(draft.versionId.endsWith("2") ? { ...draft, stage: false } : draft)
  }),
  // Erases nothing.
  "takes the content of a version away wherever it is shown, and keeps the rest of it": ({
    revise
  }) => ({
    revise: ({ erasure: _, ...revision }) => revise(revision)
  }),
  // Erases although it refuses.
  "erases nothing when the preset has changed since": ({ revise }, { versions }) => ({
    revise: doAfterRefusal(revise, ({ erasure, next: { id } }) => {
      const list = versions.get(id)
      const [first] = list ?? []
      if (erasure === undefined || first === undefined) return
      list?.splice(0, 1, eraseContent(first, { at: erasure.at, by: erasure.by }))
    })
  }),
  // Takes a removal for done.
  "removes an archived preset at once: nothing shows it, and its slug and keys are free": () => ({
    remove: () => Effect.void
  }),
  // Removes protected labels with their preset.
  "removes no preset whose label was taken for free and is protected": ({ remove }) => ({
    remove: (removal) => remove({ ...removal, freeLabels: [] })
  }),
  // Leaves the protected labels of a workspace.
  "clears a workspace of removed presets and protected labels too": (
    { clear },
    { protectedLabels }
  ) => ({
    clear: (id, rowMax) =>
      Effect.suspend(() => {
        const kept = protectedLabels.get(id) ?? []
        return Effect.tap(clear(id, rowMax), () => Effect.sync(() => protectedLabels.set(id, kept)))
      })
  })
})

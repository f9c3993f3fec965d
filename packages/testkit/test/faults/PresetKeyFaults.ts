import { PresetStore } from "@verbatim/core/ports"
import type { PresetDraft } from "@verbatim/core/preset"
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
  "remembers what was made under a key, and adds no second version under it": {
    "writes down keys and does not look at them": ({ append }, tables) => ({
      append: (draft) => Effect.tap(append(withoutKey(draft)), () => recorded(tables, draft))
    })
  },
  "adds one version of many drafts at once under one key": {
    "looks at a key before others write": ({ append, made }, tables) => ({
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
    })
  },
  "lets a key go after 24 hours, not before": {
    "lets a key go after 23 hours": aged(1)
  },
  "shows the version that was made under a key, whatever happened to the preset since": {
    "looks whether a preset is archived before it looks at the key": ({ append, find }) => ({
      append: (draft) =>
        Effect.gen(function* () {
          const found = yield* find(draft.workspaceId, draft.slug)
          const isArchived = Option.exists(found, ({ preset }) => preset._tag === "Archived")
          return yield* append(isArchived ? withoutKey(draft) : draft)
        })
    })
  },
  "keeps no key of a draft that is refused": {
    "keeps the key of a draft that is refused": ({ append }, tables) => ({
      append: (draft) =>
        Effect.tapError(append(draft), () =>
          Effect.andThen(
            recorded(tables, draft),
            Effect.sync(() => {
              const [first] = tables.drafted.values()
              if (first !== undefined) tables.drafted.set(draft.versionId, first)
            })
          )
        )
    })
  },
  "adds a draft once, however often it comes": {
    "adds a draft each time it comes": ({ append }, { drafted }) => ({
      append: doBefore(append, (draft) => drafted.delete(draft.versionId))
    })
  },
  "adds a draft under a key once, however often it comes": {
    "takes a draft that comes again for another one under its key": ({ append }, { drafted }) => ({
      append: doBefore(append, (draft) => {
        if (Option.isSome(draft.request)) drafted.delete(draft.versionId)
      })
    })
  },
  "makes a revision once, however often it comes": {
    "takes a revision that comes again for another one": ({ revise }, { changes }) => ({
      revise: doBefore(revise, () => changes.clear())
    })
  },
  "makes a revision that was refused once it is decided on what is there": {
    "remembers a revision that was refused as made": ({ revise }, { changes }) => ({
      revise: doAfterRefusal(revise, ({ id }) => changes.add(id))
    })
  }
})

import { PresetStore, PresetStoreError } from "@verbatim/core/ports"
import { type PresetDraft, unmetBy } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { plantFaults } from "./Fault.ts"

const withoutCondition = ({ condition: _, ...draft }: PresetDraft): PresetDraft => draft

type Store = PresetStore["Service"]

/** Judges the condition on what was read before. */
const judgedBefore = ({ append, find }: Store, pause: Effect.Effect<void>) =>
  Effect.fnUntraced(function* (draft: PresetDraft) {
    const found = yield* find(draft.workspaceId, draft.slug)
    const unmet = unmetBy(
      draft.condition ?? {},
      Option.getOrUndefined(Option.map(found, ({ preset }) => preset))
    )
    if (unmet !== undefined) {
      const reason = { _tag: "ConditionFailed", unmet } as const
      return yield* new PresetStoreError({ operation: "append", reason })
    }
    yield* pause
    return yield* append(withoutCondition(draft))
  })

export const presetConditionFaults = plantFaults(PresetStore, {
  "adds a version only while the condition of its draft holds": {
    "ignores the condition of a draft": ({ append }) => ({
      append: (draft) => append(withoutCondition(draft))
    })
  },
  "creates a preset only where none is required to be there": {
    "takes a preset that is not there for one that moved": ({ append }) => ({
      append: (draft) =>
        append(
          draft.condition?.match === undefined
            ? draft
            : { ...draft, condition: { noneMatch: draft.condition.noneMatch } }
        )
    })
  },
  "lets one of many writers create a preset that must not be there": {
    "looks whether a preset is there before others create it": (store) => ({
      append: judgedBefore(store, Effect.yieldNow)
    })
  },
  "lets one of many writers follow the version that they all require": {
    "looks at the designated version before others write": (store) => ({
      append: judgedBefore(store, Effect.yieldNow)
    })
  },
  "judges a key before the condition, and a repeat of the draft before both": {
    "judges a condition before the key": (store) => ({
      append: judgedBefore(store, Effect.void)
    })
  }
})

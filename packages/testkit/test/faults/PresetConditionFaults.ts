import { PresetStore, PresetStoreError, type Stores } from "@verbatim/core/ports"
import { type PresetDraft, unmetBy } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { type Fault, replacing } from "./Fault.ts"

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

export const presetConditionFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "ignores the condition of a draft",
    foundBy: "adds a version only while the condition of its draft holds",
    layer: replacing(PresetStore, ({ append }) => ({
      append: (draft) => append(withoutCondition(draft))
    }))
  },
  {
    fault: "takes a preset that is not there for one that moved",
    foundBy: "creates a preset only where none is required to be there",
    layer: replacing(PresetStore, ({ append }) => ({
      append: (draft) =>
        append(
          draft.condition?.match === undefined
            ? draft
            : { ...draft, condition: { noneMatch: draft.condition.noneMatch } }
        )
    }))
  },
  {
    fault: "looks whether a preset is there before others create it",
    foundBy: "lets one of many writers create a preset that must not be there",
    layer: replacing(PresetStore, (store) => ({ append: judgedBefore(store, Effect.yieldNow) }))
  },
  {
    fault: "looks at the designated version before others write",
    foundBy: "lets one of many writers follow the version that they all require",
    layer: replacing(PresetStore, (store) => ({ append: judgedBefore(store, Effect.yieldNow) }))
  },
  {
    fault: "judges a condition before the key",
    foundBy: "judges a key before the condition, and a repeat of the draft before both",
    layer: replacing(PresetStore, (store) => ({ append: judgedBefore(store, Effect.void) }))
  }
]

import { IdempotencyKey } from "@verbatim/core/idempotency"
import { PresetStore, type Stores } from "@verbatim/core/ports"
import type { PresetDraft } from "@verbatim/core/preset"
import { DateTime, Duration, Effect, Option } from "effect"
import { doAfterRefusal, doBefore, type Fault, replacing, type Tables } from "./Fault.ts"

const folded = (key: IdempotencyKey) => IdempotencyKey.make(key.toLowerCase())

const withKey = (draft: PresetDraft, change: (key: IdempotencyKey) => IdempotencyKey) => ({
  ...draft,
  request: Option.map(draft.request, (request) => ({ ...request, key: change(request.key) }))
})

const withoutKey = (draft: PresetDraft): PresetDraft => ({ ...draft, request: Option.none() })

/** Writes the record of a draft in addition to what the adapter does. */
const recorded = ({ presetKeys }: Tables, draft: PresetDraft) =>
  Effect.map(DateTime.now, (at) => {
    if (Option.isNone(draft.request)) return
    const { fingerprint, key } = draft.request.value
    presetKeys.set(`${draft.workspaceId}/${key}`, { fingerprint, versionId: draft.versionId, at })
  })

/** The memory adapter with records that seem to be older, or younger. */
const aged = (hours: number) =>
  replacing(PresetStore, ({ append }, { presetKeys }) => ({
    append: (draft) =>
      Effect.tap(append(draft), () =>
        Effect.sync(() => {
          for (const [key, row] of presetKeys) {
            presetKeys.set(key, { ...row, at: DateTime.add(row.at, { hours: -hours }) })
          }
        })
      )
  }))

export const presetKeyFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "writes down keys and does not look at them",
    foundBy: "remembers what was made under a key, and adds no second version under it",
    layer: replacing(PresetStore, ({ append }, tables) => ({
      append: (draft) => Effect.tap(append(withoutKey(draft)), () => recorded(tables, draft))
    }))
  },
  {
    fault: "looks at a key before others write",
    foundBy: "adds one version of many drafts at once under one key",
    layer: replacing(PresetStore, ({ append, made }, tables) => ({
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
    }))
  },
  {
    fault: "folds the case of keys",
    foundBy: "keeps keys apart by their spelling and their workspace",
    layer: replacing(PresetStore, ({ append, made }) => ({
      append: (draft) => append(withKey(draft, folded)),
      made: (workspaceId, key) => made(workspaceId, folded(key))
    }))
  },
  {
    fault: "shows keys to every workspace",
    foundBy: "keeps keys apart by their spelling and their workspace",
    layer: replacing(PresetStore, ({ made }, { accounts }) => ({
      made: (_, key) =>
        Effect.suspend(() => {
          const [owner] = accounts.keys()
          return owner === undefined ? Effect.succeedNone : made(owner, key)
        })
    }))
  },
  {
    fault: "lets a key go after 23 hours",
    foundBy: "lets a key go after 24 hours, not before",
    layer: aged(1)
  },
  {
    fault: "lets a key go after 25 hours",
    foundBy: "lets a key go after 24 hours, not before",
    layer: aged(-1)
  },
  {
    fault: "shows the version that is designated by now under a key",
    foundBy: "shows the version that was made under a key, whatever happened to the preset since",
    layer: replacing(PresetStore, ({ find, made }) => ({
      made: (workspaceId, key) =>
        Effect.gen(function* () {
          const first = yield* made(workspaceId, key)
          if (Option.isNone(first)) return first
          const found = yield* find(workspaceId, first.value.made.preset.slug)
          return Option.map(found, (now) => ({ ...first.value, made: now }))
        })
    }))
  },
  {
    fault: "looks whether a preset is archived before it looks at the key",
    foundBy: "shows the version that was made under a key, whatever happened to the preset since",
    layer: replacing(PresetStore, ({ append, find }) => ({
      append: (draft) =>
        Effect.gen(function* () {
          const found = yield* find(draft.workspaceId, draft.slug)
          const isArchived = Option.exists(found, ({ preset }) => preset._tag === "Archived")
          return yield* append(isArchived ? withoutKey(draft) : draft)
        })
    }))
  },
  {
    fault: "keeps the key of a draft that is refused",
    foundBy: "keeps no key of a draft that is refused",
    layer: replacing(PresetStore, ({ append }, tables) => ({
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
    }))
  },
  {
    fault: "sweeps the keys that had lapsed when it looked",
    foundBy: "keeps every key that is used again while others lapse",
    layer: replacing(PresetStore, ({ append }, { presetKeys }) => ({
      append: (draft) =>
        Effect.gen(function* () {
          const now = yield* DateTime.now
          const lapsed = [...presetKeys].filter(
            ([, { at }]) => DateTime.toEpochMillis(now) - DateTime.toEpochMillis(at) >= dayMillis
          )
          const answer = yield* append(draft)
          yield* Effect.yieldNow
          for (const [key] of lapsed) presetKeys.delete(key)
          return answer
        })
    }))
  },
  {
    fault: "adds a draft each time it comes",
    foundBy: "adds a draft once, however often it comes",
    layer: replacing(PresetStore, ({ append }, { drafted }) => ({
      append: doBefore(append, (draft) => drafted.delete(draft.versionId))
    }))
  },
  {
    fault: "takes a draft that comes again for another one under its key",
    foundBy: "adds a draft under a key once, however often it comes",
    layer: replacing(PresetStore, ({ append }, { drafted }) => ({
      append: doBefore(append, (draft) => {
        if (Option.isSome(draft.request)) drafted.delete(draft.versionId)
      })
    }))
  },
  {
    fault: "takes a revision that comes again for another one",
    foundBy: "makes a revision once, however often it comes",
    layer: replacing(PresetStore, ({ revise }, { changes }) => ({
      revise: doBefore(revise, () => changes.clear())
    }))
  },
  {
    fault: "remembers a revision that was refused as made",
    foundBy: "makes a revision that was refused once it is decided on what is there",
    layer: replacing(PresetStore, ({ revise }, { changes }) => ({
      revise: doAfterRefusal(revise, ({ id }) => changes.add(id))
    }))
  }
]

const dayMillis = Duration.toMillis(Duration.hours(24))

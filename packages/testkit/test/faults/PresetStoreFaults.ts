import { PresetStore, PresetStoreError, type Revision } from "@verbatim/core/ports"
import { type Preset, type PresetDraft, PresetSlug, unmetBy } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { doBefore, plantFaults, type Replacement, type Tables } from "./Fault.ts"

const folded = (slug: PresetSlug): PresetSlug => PresetSlug.make(slug.toLowerCase())

export const presetStoreFaults = plantFaults(PresetStore, {
  // Leaves a gap: a number is taken before the version is written.
  "gives 64 writers of one new slug one preset with the versions 1 to 64": (
    { append },
    { presets, slugs }
  ) => ({
    append: doBefore(append, (draft) => {
      const preset = storedOf({ presets, slugs }, draft)
      if (preset?.latestVersion === 40) {
        presets.set(preset.id, { ...preset, latestVersion: 41 })
      }
    })
  }),
  // Folds the case of slugs.
  "compares slugs byte by byte": ({ append, find }) => ({
    append: (draft) => append({ ...draft, slug: folded(draft.slug) }),
    find: (workspaceId, slug) => find(workspaceId, folded(slug))
  }),
  // Goes on designating the first version.
  "means by each append what the machine means": ({ append }) => ({
    append: (draft) =>
      Effect.map(append(draft), ({ preset, version }) => ({
        preset: { ...preset, designatedVersion: 1 },
        version
      }))
  }),
  // Stores the empty text as null.
  "keeps every text as it is, null apart from empty": ({ append }) => ({
    append: (draft) => append({ ...draft, systemPrompt: draft.systemPrompt || null })
  }),
  // Stores an empty description as null.
  "keeps every name and description as it is, null apart from empty": ({ revise }) => ({
    revise: (revision) => {
      const { description } = revision.next
      return revise({ ...revision, next: { ...revision.next, description: description || null } })
    }
  }),
  // Copies a configuration key by key.
  "keeps a property called __proto__ as a property": ({ append }) => ({
    append: (draft) => {
      const config: Record<string, (typeof draft.config)[string]> = {}
      for (const [name, value] of Object.entries(draft.config)) config[name] = value
      return append({ ...draft, config })
    }
  }),
  // Does not look whether the workspace exists.
  "refuses a workspace that does not exist, and writes nothing": ({ append }, { accounts }) => ({
    append: doBefore(append, (draft) => {
      const [account] = accounts.values()
      if (account !== undefined) accounts.set(draft.workspaceId, account)
    })
  }),
  // Shows a preset before its new version can be read.
  "lets readers see a preset only with the version it designates": ({ append }, { versions }) => ({
    append: (draft) =>
      Effect.gen(function* () {
        const answer = yield* append(draft)
        const whole = versions.get(answer.preset.id) ?? []
        versions.set(answer.preset.id, whole.slice(0, -1))
        yield* Effect.yieldNow
        versions.set(answer.preset.id, whole)
        return answer
      })
  })
})

/** A revision as if it had been decided just now. */
const unfenced = ({ presets }: Tables, revision: Revision): Revision => ({
  ...revision,
  expectedRevision: presets.get(revision.next.id)?.revision ?? revision.expectedRevision
})

const isFresh = ({ presets }: Tables, { expectedRevision, next }: Revision): boolean =>
  presets.get(next.id)?.revision === expectedRevision

/** Looks at the fence, lets others write, and writes then whatever they wrote. */
const reviseLate =
  (revise: PresetStore["Service"]["revise"], tables: Tables): typeof revise =>
  (revision) =>
    Effect.gen(function* () {
      if (!isFresh(tables, revision)) return yield* revise(revision)
      yield* Effect.yieldNow
      yield* revise(unfenced(tables, revision))
    })

/** The memory adapter in which a new version makes a preset of that status active. */
const activating =
  (status: "Archived" | "Disabled"): Replacement<PresetStore["Service"]> =>
  ({ append }, tables) => ({
    append: doBefore(append, (draft) => {
      const stored = storedOf(tables, draft)
      if (stored?._tag === status) tables.presets.set(stored.id, { ...stored, _tag: "Active" })
    })
  })

export const presetRevisionFaults = plantFaults(PresetStore, {
  // Revises without a fence.
  "refuses a revision that was decided on another one, and writes nothing": (
    { revise },
    tables
  ) => ({
    revise: (revision) => Effect.suspend(() => revise(unfenced(tables, revision)))
  }),
  // Looks at the fence before others write.
  "lets exactly one of many revisions that were decided on the same one win": (
    { revise },
    tables
  ) => ({
    revise: reviseLate(revise, tables)
  }),
  // Loses a version that comes between the look and the write of a revision.
  "loses neither versions nor changes when both come at once": ({ revise }, tables) => ({
    revise: (revision) =>
      Effect.tap(reviseLate(revise, tables)(revision), () =>
        Effect.sync(() => tables.presets.set(revision.next.id, revision.next))
      )
  }),
  // Takes a revision of nothing for done.
  "refuses a revision of a preset that does not exist, and writes nothing": (
    { revise },
    { presets }
  ) => ({
    revise: (revision) =>
      Effect.suspend(() => (presets.has(revision.next.id) ? revise(revision) : Effect.void))
  }),
  // Writes the whole row of a revision.
  "never changes whose a preset is, its slug, its versions and its birth": (
    { revise },
    { presets }
  ) => ({
    revise: (revision) =>
      Effect.tap(revise(revision), () =>
        Effect.sync(() => presets.set(revision.next.id, revision.next))
      )
  }),
  // Makes a preset active again by adding a version.
  "appends to a disabled preset as to any, and leaves what else was changed":
    activating("Disabled"),
  // Restores an archived preset by adding a version.
  "takes no version for an archived preset, until it is restored": activating("Archived")
})

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
  // Ignores the condition of a draft.
  "adds a version only while the condition of its draft holds": ({ append }) => ({
    append: (draft) => append(withoutCondition(draft))
  }),
  // Takes a preset that is not there for one that moved.
  "creates a preset only where none is required to be there": ({ append }) => ({
    append: (draft) =>
      append(
        draft.condition?.match === undefined
          ? draft
          : { ...draft, condition: { noneMatch: draft.condition.noneMatch } }
      )
  }),
  // Looks whether a preset is there before others create it.
  "lets one of many writers create a preset that must not be there": (store) => ({
    append: judgedBefore(store, Effect.yieldNow)
  }),
  // Looks at the designated version before others write.
  "lets one of many writers follow the version that they all require": (store) => ({
    append: judgedBefore(store, Effect.yieldNow)
  }),
  // Judges a condition before the key.
  "judges a key before the condition, and a repeat of the draft before both": (store) => ({
    append: judgedBefore(store, Effect.void)
  })
})

/** The preset that a draft belongs to, in the tables of the memory adapter. */
const storedOf = (
  { presets, slugs }: Pick<Tables, "presets" | "slugs">,
  { slug, workspaceId }: Pick<PresetDraft, "slug" | "workspaceId">
): Preset | undefined => {
  const id = slugs.get(`${workspaceId}/${slug}`)
  return id === undefined ? undefined : presets.get(id)
}

/** Faults in the memory adapter's preset store. */
import { type Page, PresetStore, PresetStoreError, type Revision } from "@verbatim/core/ports"
import {
  findUnmetCondition,
  type Preset,
  type PresetDraft,
  PresetSlug
} from "@verbatim/core/preset"
import { DateTime, Effect, Option } from "effect"
import { doBefore, plantFaults, type Replacement, replaceEach, type Tables } from "./Fault.ts"

const folded = (slug: PresetSlug): PresetSlug => PresetSlug.make(slug.toLowerCase())

const isFresh = ({ presets }: Tables, { expectedRevision, next }: Revision): boolean =>
  presets.get(next.id)?.revision === expectedRevision

/** Checks the revision, lets other callers write, and then overwrites their changes. */
const reviseLate =
  (revise: PresetStore["Service"]["revise"], tables: Tables): typeof revise =>
  (revision) =>
    Effect.gen(function* () {
      if (!isFresh(tables, revision)) return yield* revise(revision)
      yield* Effect.yieldNow
      yield* revise(unfenced(tables, revision))
    })

const withoutCondition = ({ condition: _, ...draft }: PresetDraft): PresetDraft => draft

type Store = PresetStore["Service"]

/** Checks a draft's condition against a preset that was read earlier. */
const judgedBefore = ({ append, find }: Store, pause: Effect.Effect<void>) =>
  Effect.fnUntraced(function* (draft: PresetDraft) {
    const found = yield* find(draft.workspaceId, draft.slug)
    const unmet = findUnmetCondition(
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

/** Returns the stored preset to which a draft belongs. */
const storedOf = (
  { presets, slugs }: Pick<Tables, "presets" | "slugs">,
  { slug, workspaceId }: Pick<PresetDraft, "slug" | "workspaceId">
): Preset | undefined => {
  const id = slugs.get(`${workspaceId}/${slug}`)
  return id === undefined ? undefined : presets.get(id)
}

const withoutKey = (draft: PresetDraft): PresetDraft => ({ ...draft, request: Option.none() })

/** Stores a draft's record, in addition to what the adapter stores. */
const recorded = ({ presetKeys }: Tables, draft: PresetDraft) =>
  Effect.map(DateTime.now, (at) => {
    if (Option.isNone(draft.request)) return
    const { fingerprint, key } = draft.request.value
    presetKeys.set(`${draft.workspaceId}/${key}`, { fingerprint, versionId: draft.versionId, at })
  })

/** A memory adapter that returns a different page than the requested one. */
const paged =
  (wrong: (page: Page) => Page): Replacement<PresetStore["Service"]> =>
  ({ designations, list, versions }) => ({
    designations: (id, page) => designations(id, wrong(page)),
    list: (workspaceId, page) => list(workspaceId, wrong(page)),
    versions: (id, page) => versions(id, wrong(page))
  })

/**
 * Returns a change that states the current revision instead of the revision on which the change was
 * based.
 */
const unfenced = ({ presets }: Tables, revision: Revision): Revision => ({
  ...revision,
  expectedRevision: presets.get(revision.next.id)?.revision ?? revision.expectedRevision
})

export const presetStoreFaults = plantFaults(PresetStore, {
  // Leaves a gap, because it takes a number before it writes the version.
  "gives 64 concurrent writers of a new slug one preset with versions 1 to 64": (
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
  // Ignores the case of slugs.
  "compares slugs byte by byte": ({ append, find }) => ({
    append: (draft) => append({ ...draft, slug: folded(draft.slug) }),
    find: (workspaceId, slug) => find(workspaceId, folded(slug))
  }),
  // Shows a preset before the preset's new version can be read.
  "shows readers a preset together with its designated version": ({ append }, { versions }) => ({
    append: (draft) =>
      Effect.gen(function* () {
        const answer = yield* append(draft)
        const whole = versions.get(answer.preset.id) ?? []
        versions.set(answer.preset.id, whole.slice(0, -1))
        yield* Effect.yieldNow
        versions.set(answer.preset.id, whole)
        return answer
      })
  }),
  // Changes a preset without comparing the revision.
  "refuses a change based on an outdated revision, and writes nothing": ({ revise }, tables) => ({
    revise: (revision) => Effect.suspend(() => revise(unfenced(tables, revision)))
  }),
  // Checks the revision before other callers write.
  "lets one of many concurrent changes to the same revision win": ({ revise }, tables) => ({
    revise: reviseLate(revise, tables)
  }),
  // Checks whether a preset exists before other callers create it.
  "lets one of many concurrent writers with the same condition win": (store) => ({
    append: judgedBefore(store, Effect.yieldNow)
  }),
  // Reads a key's record before other callers write.
  "adds only one version for many concurrent drafts under one idempotency key": (
    { append, made },
    tables
  ) => ({
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
  // Treats a repeated change as a different change.
  "applies a change once, however often the call is repeated": ({ revise }, { changes }) => ({
    revise: doBefore(revise, () => changes.clear())
  }),
  // Erases nothing.
  "omits an erased version's content from all reads, and keeps the version's other fields": ({
    revise
  }) => ({
    revise: ({ erasure: _, ...revision }) => revise(revision)
  }),
  // Reports a removal, but removes nothing.
  "hides a removed preset from all reads immediately, and frees its slug and keys": () => ({
    remove: () => Effect.void
  }),
  // Returns one version more than the limit allows.
  "returns the requested page of versions": paged(({ limit, offset }) => ({
    limit: limit + 1,
    offset
  })),
  // Ignores the protection of labels.
  "refuses to move a label that was protected after the decision, and writes nothing": ({
    revise
  }) => ({
    revise: (revision) => revise({ ...revision, freeLabels: [] })
  })
})

/** Faults that the laws of `Presets` find, keyed by what the store does. */
export const presetLawFaults = replaceEach(PresetStore, {
  "keeps designating the first version": ({ append }) => ({
    append: (draft) =>
      Effect.map(append(draft), ({ preset, version }) => ({
        preset: { ...preset, designatedVersion: 1 },
        version
      }))
  }),
  "loses a version added between the read and the write of a change": ({ revise }, tables) => ({
    revise: (revision) =>
      Effect.tap(reviseLate(revise, tables)(revision), () =>
        Effect.sync(() => tables.presets.set(revision.next.id, revision.next))
      )
  })
})

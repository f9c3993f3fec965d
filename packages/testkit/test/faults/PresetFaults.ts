/** Faults in the in-memory adapter's preset store. */
import { type Page, PresetStore, PresetStoreError } from "@verbatim/core/ports"
import {
  findUnmetCondition,
  type Preset,
  type PresetDraft,
  PresetSlug
} from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { doBefore, plantFaults, type Replacement, type Tables } from "./Fault.ts"

const folded = (slug: PresetSlug): PresetSlug => PresetSlug.make(slug.toLowerCase())

const withoutCondition = ({ condition: _, ...draft }: PresetDraft): PresetDraft => draft

type Store = PresetStore["Service"]

/** Checks a draft's condition against a preset that it read earlier. */
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

/** Returns the stored preset that a draft belongs to. */
const storedOf = (
  { presets, slugs }: Pick<Tables, "presets" | "slugs">,
  { slug, workspaceId }: Pick<PresetDraft, "slug" | "workspaceId">
): Preset | undefined => {
  const id = slugs.get(`${workspaceId}/${slug}`)
  return id === undefined ? undefined : presets.get(id)
}

/** An in-memory adapter that returns a different page than requested. */
const paged =
  (wrong: (page: Page) => Page): Replacement<PresetStore["Service"]> =>
  ({ designations, list, versions }) => ({
    designations: (id, page) => designations(id, wrong(page)),
    list: (workspaceId, page) => list(workspaceId, wrong(page)),
    versions: (id, page) => versions(id, wrong(page))
  })

export const presetStoreFaults = plantFaults(PresetStore, {
  // Leaves gaps, because it takes a number before it writes the version.
  "gives 64 concurrent writers to a new slug one preset with versions 1 to 64": (
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
  // Checks whether a preset exists, and lets other callers create it before its own write.
  "lets one of many concurrent writers with the same condition win": (store) => ({
    append: judgedBefore(store, Effect.yieldNow)
  }),
  // Treats a retried change as a different change.
  "applies a change once, however often the call is repeated": ({ revise }, { changes }) => ({
    revise: doBefore(revise, () => changes.clear())
  }),
  // Erases nothing.
  "omits an erased version's content from all reads, but keeps the version's other fields": ({
    revise
  }) => ({
    revise: ({ erasure: _, ...revision }) => revise(revision)
  }),
  // Reports a removal, but removes nothing.
  "hides a removed preset from all reads immediately, and frees its slug and keys": () => ({
    remove: () => Effect.succeed(true)
  }),
  // Reports that every removal happened.
  "removes the given preset once and no other preset, however often the call is repeated": ({
    remove
  }) => ({
    remove: (removal) => Effect.as(remove(removal), true)
  }),
  // Returns a page with one version too many.
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

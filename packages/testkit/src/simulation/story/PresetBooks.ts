/**
 * What the stores have at the end of the presets whose labels were kept, and of those that were
 * removed.
 */
import type { Stores } from "@verbatim/core/ports"
import { PresetStore } from "@verbatim/core/ports"
import { PresetId, PresetSlug } from "@verbatim/core/preset"
import { LabelName, type WorkspaceId } from "@verbatim/core/workspace"
import { Context, Effect, Option } from "effect"
import { factsOf } from "../record/Facts.ts"
import { handOf, keptLabels, keptSlug, pointersOf } from "../workload/LabelClients.ts"
import { goingSlug, toSeenPreset } from "../workload/RemovalClients.ts"
import type { World } from "../world/World.ts"

/** More versions than any run makes. */
const page = { offset: 0, limit: 1_000 }

/** Rows of one sweep: few, so that there are several. */
const sweepMax = 3

/** Whose books are read, and where. */
interface Books {
  readonly stores: Context.Context<Stores>
  readonly id: WorkspaceId
}

/** The preset whose labels were kept, if there is one. */
export const readLabels = Effect.fnUntraced(function* ({ facts }: World, { id, stores }: Books) {
  const store = Context.get(stores, PresetStore)
  const found = yield* store.find(id, PresetSlug.make(keptSlug))
  if (Option.isNone(found)) return
  const { preset } = found.value
  const versions = yield* store.versions(preset.id, page)
  const designations = yield* store.designations(preset.id, page)
  const moves = yield* Effect.forEach(keptLabels, (label) =>
    store.labelMoves(preset.id, { ...page, label: LabelName.make(label) })
  )
  facts.push({
    _tag: "LabelsListed",
    revision: preset.revision,
    labels: pointersOf(preset),
    designated: preset.designatedVersion,
    versions: versions.map(({ comment, erased, systemPrompt }) => ({
      comment,
      isErased: erased !== null,
      hasContent: systemPrompt !== null
    })),
    designations: designations.map(({ to }) => to),
    moves: moves
      .flat()
      .map(({ by, from, label, revision, to }) => ({ label, revision, from, to, by: handOf(by) }))
  })
})

/** The preset that was removed and made again, and what is left of those that went. */
export const readRemovals = Effect.fnUntraced(function* (
  { facts, timeline }: World,
  { id, stores }: Books
) {
  const asked = factsOf(facts, "RemovalAsked")
  if (asked.length === 0) return
  const store = Context.get(stores, PresetStore)
  const found = yield* store.find(id, PresetSlug.make(goingSlug))
  const preset = Option.getOrUndefined(Option.map(found, (each) => each.preset))
  const versions = preset === undefined ? [] : yield* store.versions(preset.id, page)
  yield* store.sweep(sweepMax).pipe(Effect.repeat({ while: (hasMore) => hasMore }))
  const gone = asked.flatMap(({ isDone, seen, wish }) =>
    isDone && wish.kind === "Remove" && seen !== null ? [seen.id] : []
  )
  const left = yield* Effect.forEach([...new Set(gone)], (each) => {
    const presetId = PresetId.make(each)
    const rows = [store.versions(presetId, page), store.designations(presetId, page)]
    return Effect.map(Effect.all(rows), (lists) => ({ id: each, rows: lists.flat().length }))
  })
  facts.push({
    _tag: "RemovalListed",
    at: timeline.now(),
    seen: preset === undefined ? null : toSeenPreset(preset),
    comments: versions.map(({ comment }) => comment),
    left
  })
})

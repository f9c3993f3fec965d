import { type Page, PresetStore } from "@verbatim/core/ports"
import type { Designation, Preset, PresetId } from "@verbatim/core/preset"
import { DateTime, Effect, Order } from "effect"
import { whole } from "#src/samples/SamplePreset"
import { plantFaults, type Replacement, type Tables } from "./Fault.ts"

const byClock = Order.mapInput(DateTime.Order, ({ at }: Designation) => at)

type Pick = (all: ReadonlyArray<Designation>, at: DateTime.Utc) => Designation | undefined

/** The memory adapter with another way to find the designation of an instant. */
const designatedBy =
  (pick: Pick): Replacement<PresetStore["Service"]> =>
  ({ version }, { designations }) => ({
    designatedAt: (id, at) => {
      const found = pick(designations.get(id) ?? [], at)
      return found === undefined ? Effect.succeedNone : version(id, found.to)
    }
  })

/** The memory adapter with another order of presets. */
const listedBy =
  (order: Order.Order<Preset>): Replacement<PresetStore["Service"]> =>
  ({ list }) => ({
    list: (workspaceId, { limit, offset }) =>
      Effect.map(list(workspaceId, whole), ({ presets, total }) => ({
        presets: presets.toSorted(order).slice(offset, offset + limit),
        total
      }))
  })

const byUpdate = Order.mapInput(DateTime.Order, ({ updatedAt }: Preset) => updatedAt)
const byId = Order.mapInput(Order.String, ({ id }: Preset) => id)

/** The memory adapter with versions and designations of a page other than the requested one. */
const paged =
  (wrong: (page: Page) => Page): Replacement<PresetStore["Service"]> =>
  ({ designations, list, versions }) => ({
    designations: (id, page) => designations(id, wrong(page)),
    list: (workspaceId, page) => list(workspaceId, wrong(page)),
    versions: (id, page) => versions(id, wrong(page))
  })

const rewritten = (
  { designations }: Tables,
  id: PresetId,
  rewrite: (entry: Designation) => Designation
) =>
  Effect.sync(() => {
    designations.set(id, (designations.get(id) ?? []).map(rewrite))
  })

export const presetListFaults = plantFaults(PresetStore, {
  "lists and counts the presets in one state, page by page": {
    "lists the presets of every state": ({ list }) => ({
      list: (id, { limit, offset }) => list(id, { limit, offset })
    })
  },
  "answers as many versions as fit, and the first one in any case": {
    "answers all versions of a page, whatever their size": ({ versions }) => ({
      versions: (id, { limit, offset }) => versions(id, { limit, offset })
    })
  },
  "counts the designations of each preset, and none of an unknown one": {
    "counts the designations of a page alone": ({ designations }) => ({
      designationCount: (id) =>
        Effect.map(designations(id, { offset: 0, limit: 1 }), ({ length }) => length)
    })
  },
  "orders designations as they happened, whatever the clocks said": {
    "lists designations by the clock": ({ designations }) => ({
      designations: (id, page) =>
        Effect.map(designations(id, page), (list) => list.toSorted(byClock))
    })
  },
  "remembers who designated which version when, each version first by being added": {
    "forgets what was designated before": ({ append }, tables) => ({
      append: (draft) =>
        Effect.tap(append(draft), ({ preset }) =>
          rewritten(tables, preset.id, (entry) => ({ ...entry, from: null }))
        )
    })
  },
  "keeps the designations of presets apart, and has none of an unknown one": {
    "mixes the designations of presets": (_, { designations }) => ({
      designations: () => Effect.sync(() => [...designations.values()].flat())
    })
  },
  "knows the version that was designated at an instant, to the millisecond": {
    "designates one millisecond late": designatedBy((all, at) =>
      all.findLast((entry) => DateTime.isLessThan(entry.at, at))
    )
  },
  "takes the last of the designations up to an instant when a clock went back": {
    "takes the designation with the latest clock": designatedBy((all, at) =>
      all.toSorted(byClock).findLast((entry) => DateTime.isLessThanOrEqualTo(entry.at, at))
    )
  },
  "lists the presets of a workspace, newest updated first": {
    "lists presets oldest first": listedBy(byUpdate)
  },
  "lists presets that were updated at one instant by their ids, newest first": {
    "lists presets of one instant oldest first": listedBy(Order.combine(Order.flip(byUpdate), byId))
  },
  "lists none of another workspace": {
    "lists the presets of everybody": (_, { presets }) => ({
      list: () => Effect.sync(() => ({ presets: [...presets.values()], total: presets.size }))
    })
  },
  "answers the stretch of the presets that a page asks for, and how many there are": {
    "counts the page and not the list": ({ list }) => ({
      list: (workspaceId, page) =>
        Effect.map(list(workspaceId, page), ({ presets }) => ({ presets, total: presets.length }))
    })
  },
  "answers the stretch of the versions that a page asks for": {
    "answers one version more than the limit": paged(({ limit, offset }) => ({
      limit: limit + 1,
      offset
    }))
  },
  "answers the stretch of the designations that a page asks for": {
    "takes the limit of designations for their end": paged(({ limit, offset }) => ({
      limit: Math.max(limit - offset, 0),
      offset
    }))
  },
  "has each version by its number, and none of another number": {
    "takes the number of a version for its place in the list": ({ version }) => ({
      version: (id, number) => version(id, number + 1)
    })
  }
})

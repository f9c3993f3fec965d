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
  // Answers all versions of a page, whatever their size.
  "answers as many versions as fit, and the first one in any case": ({ versions }) => ({
    versions: (id, { limit, offset }) => versions(id, { limit, offset })
  }),
  // Counts the designations of a page alone.
  "counts the designations of each preset, and none of an unknown one": ({ designations }) => ({
    designationCount: (id) =>
      Effect.map(designations(id, { offset: 0, limit: 1 }), ({ length }) => length)
  }),
  // Forgets what was designated before.
  "remembers who designated which version when, each version first by being added": (
    { append },
    tables
  ) => ({
    append: (draft) =>
      Effect.tap(append(draft), ({ preset }) =>
        rewritten(tables, preset.id, (entry) => ({ ...entry, from: null }))
      )
  }),
  // Designates one millisecond late.
  "knows the version that was designated at an instant, to the millisecond": designatedBy(
    (all, at) => all.findLast((entry) => DateTime.isLessThan(entry.at, at))
  ),
  // Takes the designation with the latest clock.
  "takes the last of the designations up to an instant when a clock went back": designatedBy(
    (all, at) =>
      all.toSorted(byClock).findLast((entry) => DateTime.isLessThanOrEqualTo(entry.at, at))
  ),
  // Lists presets oldest first.
  "lists the presets of a workspace, newest updated first": listedBy(byUpdate),
  // Lists presets of one instant oldest first.
  "lists presets that were updated at one instant by their ids, newest first": listedBy(
    Order.combine(Order.flip(byUpdate), byId)
  ),
  // Counts the page and not the list.
  "answers the stretch of the presets that a page asks for, and how many there are": ({
    list
  }) => ({
    list: (workspaceId, page) =>
      Effect.map(list(workspaceId, page), ({ presets }) => ({ presets, total: presets.length }))
  }),
  // Answers one version more than the limit.
  "answers the stretch of the versions that a page asks for": paged(({ limit, offset }) => ({
    limit: limit + 1,
    offset
  })),
  // Takes the limit of designations for their end.
  "answers the stretch of the designations that a page asks for": paged(({ limit, offset }) => ({
    limit: Math.max(limit - offset, 0),
    offset
  })),
  // Takes the number of a version for its place in the list.
  "has each version by its number, and none of another number": ({ version }) => ({
    version: (id, number) => version(id, number + 1)
  })
})

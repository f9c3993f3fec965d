import { type Page, PresetStore, type Stores } from "@verbatim/core/ports"
import type { Designation, Preset, PresetId } from "@verbatim/core/preset"
import { DateTime, Effect, Option, Order } from "effect"
import { whole } from "#src/samples/SamplePreset"
import { type Fault, replacing, type Tables } from "./Fault.ts"

const byClock = Order.mapInput(DateTime.Order, ({ at }: Designation) => at)

type Pick = (all: ReadonlyArray<Designation>, at: DateTime.Utc) => Designation | undefined

/** The memory adapter with another way to find the designation of an instant. */
const designatedBy = (pick: Pick) =>
  replacing(PresetStore, ({ version }, { designations }) => ({
    designatedAt: (id, at) => {
      const found = pick(designations.get(id) ?? [], at)
      return found === undefined ? Effect.succeedNone : version(id, found.to)
    }
  }))

/** The memory adapter with another order of presets. */
const listedBy = (order: Order.Order<Preset>) =>
  replacing(PresetStore, ({ list }) => ({
    list: (workspaceId, { limit, offset }) =>
      Effect.map(list(workspaceId, whole), ({ presets, total }) => ({
        presets: presets.toSorted(order).slice(offset, offset + limit),
        total
      }))
  }))

const byUpdate = Order.mapInput(DateTime.Order, ({ updatedAt }: Preset) => updatedAt)
const byBirth = Order.mapInput(DateTime.Order, ({ createdAt }: Preset) => createdAt)
const byId = Order.mapInput(Order.String, ({ id }: Preset) => id)

/** The memory adapter with versions and designations of a page other than the requested one. */
const paged = (wrong: (page: Page) => Page) =>
  replacing(PresetStore, ({ designations, list, versions }) => ({
    designations: (id, page) => designations(id, wrong(page)),
    list: (workspaceId, page) => list(workspaceId, wrong(page)),
    versions: (id, page) => versions(id, wrong(page))
  }))

const rewritten = (
  { designations }: Tables,
  id: PresetId,
  rewrite: (entry: Designation) => Designation
) =>
  Effect.sync(() => {
    designations.set(id, (designations.get(id) ?? []).map(rewrite))
  })

export const presetListFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "lists the presets of every state",
    foundBy: "lists and counts the presets in one state, page by page",
    layer: replacing(PresetStore, ({ list }) => ({
      list: (id, { limit, offset }) => list(id, { limit, offset })
    }))
  },
  {
    fault: "answers all versions of a page, whatever their size",
    foundBy: "answers as many versions as fit, and the first one in any case",
    layer: replacing(PresetStore, ({ versions }) => ({
      versions: (id, { limit, offset }) => versions(id, { limit, offset })
    }))
  },
  {
    fault: "answers no version where the first one is too large",
    foundBy: "answers as many versions as fit, and the first one in any case",
    layer: replacing(PresetStore, ({ versions }) => ({
      versions: (id, page) =>
        Effect.map(versions(id, page), (found) => (page.byteMax === 0 ? [] : found))
    }))
  },
  {
    fault: "counts the designations of a page alone",
    foundBy: "counts the designations of each preset, and none of an unknown one",
    layer: replacing(PresetStore, ({ designations }) => ({
      designationCount: (id) =>
        Effect.map(designations(id, { offset: 0, limit: 1 }), ({ length }) => length)
    }))
  },
  {
    fault: "lists designations by the clock",
    foundBy: "orders designations as they happened, whatever the clocks said",
    layer: replacing(PresetStore, ({ designations }) => ({
      designations: (id, page) =>
        Effect.map(designations(id, page), (list) => list.toSorted(byClock))
    }))
  },
  {
    fault: "takes the creator of a preset for whoever designates",
    foundBy: "remembers who designated which version when, each version first by being added",
    layer: replacing(PresetStore, ({ revise }, tables) => ({
      revise: (revision) =>
        Effect.andThen(
          revise(revision),
          rewritten(tables, revision.next.id, (entry) => ({
            ...entry,
            by: revision.next.creatorUserId
          }))
        )
    }))
  },
  {
    fault: "forgets what was designated before",
    foundBy: "remembers who designated which version when, each version first by being added",
    layer: replacing(PresetStore, ({ append }, tables) => ({
      append: (draft) =>
        Effect.tap(append(draft), ({ preset }) =>
          rewritten(tables, preset.id, (entry) => ({ ...entry, from: null }))
        )
    }))
  },
  {
    fault: "takes every change for a designation",
    foundBy: "counts changes that designate nothing, but does not list them as designations",
    layer: replacing(PresetStore, ({ revise }) => ({
      revise: (revision) => {
        const { creatorUserId: by, designatedVersion: to, id, revision: number } = revision.next
        const entry = {
          presetId: id,
          revision: number,
          from: to,
          to,
          by,
          at: revision.next.updatedAt
        }
        return revise({ ...revision, designation: Option.some(entry) })
      }
    }))
  },
  {
    fault: "mixes the designations of presets",
    foundBy: "keeps the designations of presets apart, and has none of an unknown one",
    layer: replacing(PresetStore, (_, { designations }) => ({
      designations: () => Effect.sync(() => [...designations.values()].flat())
    }))
  },
  {
    fault: "designates one millisecond late",
    foundBy: "knows the version that was designated at an instant, to the millisecond",
    layer: designatedBy((all, at) => all.findLast((entry) => DateTime.isLessThan(entry.at, at)))
  },
  {
    fault: "looks up the version that was designated next",
    foundBy: "knows the version that was designated at an instant, to the millisecond",
    layer: designatedBy((all, at) =>
      all.find((entry) => DateTime.isGreaterThanOrEqualTo(entry.at, at))
    )
  },
  {
    fault: "takes the designation with the latest clock",
    foundBy: "takes the last of the designations up to an instant when a clock went back",
    layer: designatedBy((all, at) =>
      all.toSorted(byClock).findLast((entry) => DateTime.isLessThanOrEqualTo(entry.at, at))
    )
  },
  {
    fault: "stops at the first designation after the instant",
    foundBy: "takes the last of the designations up to an instant when a clock went back",
    layer: designatedBy((all, at) => {
      const end = all.findIndex((entry) => DateTime.isGreaterThan(entry.at, at))
      return end < 0 ? all.at(-1) : all[end - 1]
    })
  },
  {
    fault: "lists presets oldest first",
    foundBy: "lists the presets of a workspace, newest updated first",
    layer: listedBy(byUpdate)
  },
  {
    fault: "lists presets by their birth",
    foundBy: "lists the presets of a workspace, newest updated first",
    layer: listedBy(Order.flip(byBirth))
  },
  {
    fault: "lists presets of one instant oldest first",
    foundBy: "lists presets that were updated at one instant by their ids, newest first",
    layer: listedBy(Order.combine(Order.flip(byUpdate), byId))
  },
  {
    fault: "leaves presets of one instant in the order in which they were written",
    foundBy: "lists presets that were updated at one instant by their ids, newest first",
    layer: replacing(PresetStore, (_, { presets }) => ({
      list: () =>
        Effect.sync(() => ({
          presets: [...presets.values()].toSorted(Order.flip(byUpdate)),
          total: presets.size
        }))
    }))
  },
  {
    fault: "lists the presets of everybody",
    foundBy: "lists none of another workspace",
    layer: replacing(PresetStore, (_, { presets }) => ({
      list: () => Effect.sync(() => ({ presets: [...presets.values()], total: presets.size }))
    }))
  },
  {
    fault: "counts the page and not the list",
    foundBy: "answers the stretch of the presets that a page asks for, and how many there are",
    layer: replacing(PresetStore, ({ list }) => ({
      list: (workspaceId, page) =>
        Effect.map(list(workspaceId, page), ({ presets }) => ({ presets, total: presets.length }))
    }))
  },
  {
    fault: "begins a page of presets one too late",
    foundBy: "answers the stretch of the presets that a page asks for, and how many there are",
    layer: paged(({ limit, offset }) => ({ limit, offset: offset + 1 }))
  },
  {
    fault: "answers one version more than the limit",
    foundBy: "answers the stretch of the versions that a page asks for",
    layer: paged(({ limit, offset }) => ({ limit: limit + 1, offset }))
  },
  {
    fault: "takes the offset of versions for the number of a page",
    foundBy: "answers the stretch of the versions that a page asks for",
    layer: paged(({ limit, offset }) => ({ limit, offset: offset * limit }))
  },
  {
    fault: "takes the limit of designations for their end",
    foundBy: "answers the stretch of the designations that a page asks for",
    layer: paged(({ limit, offset }) => ({ limit: Math.max(limit - offset, 0), offset }))
  },
  {
    fault: "begins each page of designations with none before",
    foundBy: "answers the stretch of the designations that a page asks for",
    layer: replacing(PresetStore, ({ designations }) => ({
      designations: (id, page) =>
        Effect.map(designations(id, page), ([first, ...others]) =>
          first === undefined ? [] : [{ ...first, from: null }, ...others]
        )
    }))
  },
  {
    fault: "takes the number of a version for its place in the list",
    foundBy: "has each version by its number, and none of another number",
    layer: replacing(PresetStore, ({ version }) => ({
      version: (id, number) => version(id, number + 1)
    }))
  },
  {
    fault: "answers the latest version for a number that is not there",
    foundBy: "has each version by its number, and none of another number",
    layer: replacing(PresetStore, (_, { versions }) => ({
      version: (id, number) =>
        Effect.sync(() => {
          const all = versions.get(id) ?? []
          return Option.fromUndefinedOr(all[number - 1] ?? all.at(-1))
        })
    }))
  }
]

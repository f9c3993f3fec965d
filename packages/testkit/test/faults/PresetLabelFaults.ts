import { PresetStore, type Revision } from "@verbatim/core/ports"
import type { LabelMove, PresetId } from "@verbatim/core/preset"
import type { LabelName } from "@verbatim/core/workspace"
import { DateTime, Effect, Order } from "effect"
import { whole } from "#src/samples/SamplePreset"
import { plantFaults, type Replacement, type Tables } from "./Fault.ts"

type Service = PresetStore["Service"]

const movesOf = ({ labelMoves }: Tables, id: PresetId, label: LabelName) =>
  (labelMoves.get(id) ?? []).filter((move) => move.label === label)

type Pick = (all: ReadonlyArray<LabelMove>, at: DateTime.Utc) => LabelMove | undefined

/** The memory adapter with another way to find the move of an instant. */
const labelledBy =
  (pick: Pick): Replacement<Service> =>
  ({ version }, tables) => ({
    labelledAt: (id, { at, label }) => {
      const found = pick(movesOf(tables, id, label), at)
      return found === undefined || found.to === null ? Effect.succeedNone : version(id, found.to)
    }
  })

const isUpTo =
  (at: DateTime.Utc) =>
  (move: LabelMove): boolean =>
    DateTime.isLessThanOrEqualTo(move.at, at)

const byClock = Order.mapInput(DateTime.Order, ({ at }: LabelMove) => at)

/** A revision that nobody's protection stops. */
const heedless = (revision: Revision): Revision => ({ ...revision, freeLabels: [] })

/** A revision as if it had been decided just now. */
const unfenced = ({ presets }: Tables, revision: Revision): Revision => ({
  ...revision,
  expectedRevision: presets.get(revision.next.id)?.revision ?? revision.expectedRevision
})

export const presetLabelFaults = plantFaults(PresetStore, {
  // Forgets the labels of a preset that is archived.
  "keeps where each label points, whatever else happens to the preset": ({ revise }) => ({
    revise: (revision) =>
      revision.next._tag === "Archived"
        ? revise({ ...revision, next: { ...revision.next, labels: {} } })
        : revise(revision)
  }),
  // Forgets that a label was taken away.
  "remembers who moved a label when, from where and to where, and who took it away": ({
    labelMoves
  }) => ({
    labelMoves: (id, page) =>
      Effect.map(labelMoves(id, page), (all) => all.filter(({ to }) => to !== null))
  }),
  // Shows the moves of all labels.
  "keeps the moves of labels apart, of presets, and from designations": (
    { labelMoves },
    tables
  ) => ({
    labelMoves: (id, page) =>
      Effect.as(labelMoves(id, page), [...(tables.labelMoves.get(id) ?? [])])
  }),
  // Begins each page of moves with none before.
  "answers the stretch of the moves that a page asks for": ({ labelMoves }) => ({
    labelMoves: (id, page) =>
      Effect.map(labelMoves(id, page), ([first, ...others]) =>
        first === undefined ? [] : [{ ...first, from: null }, ...others]
      )
  }),
  // Points to the last version of a label that was taken away.
  "knows where a label pointed at an instant, and that there was none": labelledBy((all, at) =>
    all.filter(({ to }) => to !== null).findLast(isUpTo(at))
  ),
  // Takes the move with the latest clock.
  "takes the last of a label's moves up to an instant when a clock went back": labelledBy(
    (all, at) => all.toSorted(byClock).findLast(isUpTo(at))
  ),
  // Moves labels without a fence.
  "lets one of 16 writers move a label that all of them saw at the same place": (
    { revise },
    tables
  ) => ({
    revise: (revision) => Effect.suspend(() => revise(unfenced(tables, revision)))
  }),
  // Protects anew what is protected.
  "lists the protected labels of a workspace, by whom and since when, by name": ({
    protect,
    unprotect
  }) => ({
    protect: (protection) =>
      Effect.andThen(unprotect(protection.workspaceId, protection.label), protect(protection))
  }),
  // Protects any number of labels.
  "protects as many labels of a workspace as are allowed, and no more at once": (
    _,
    { protectedLabels }
  ) => ({
    protect: ({ workspaceId, ...each }) =>
      Effect.sync(() => {
        protectedLabels.set(workspaceId, [...(protectedLabels.get(workspaceId) ?? []), each])
      })
  }),
  // Never looks who protects a label.
  "moves no label that was taken for free and is protected, and writes nothing": ({ revise }) => ({
    revise: (revision) => revise(heedless(revision))
  }),
  // Looks who protects the first label alone.
  "changes no preset whose labels were taken for free while one is protected": ({ revise }) => ({
    revise: ({ freeLabels = [], ...revision }) =>
      revise({ ...revision, freeLabels: freeLabels.slice(0, 1) })
  }),
  // Looks who protects a label before others write.
  "moves no label from the moment on in which somebody is told that it is protected": ({
    protectedLabels,
    revise
  }) => ({
    revise: (revision) =>
      Effect.gen(function* () {
        const held = yield* protectedLabels(revision.next.workspaceId)
        if (held.length > 0) return yield* revise(revision)
        for (let turn = 0; turn < 40; turn += 1) yield* Effect.yieldNow
        yield* revise(heedless(revision))
      })
  }),
  // Compares texts with their case.
  "lists and counts the presets that have a label or a text in them, and no others": ({
    list
  }) => ({
    list: (id, { text, ...page }) =>
      Effect.map(list(id, { ...page, ...whole }), ({ presets }) => {
        const found = presets.filter(({ description, name, slug }) =>
          [slug, name, description ?? ""].some((each) => each.includes(text ?? ""))
        )
        return { presets: found, total: found.length }
      })
  }),
  // Filters a page and not the list.
  "answers the stretch of the presets that pass the filters, page by page": ({ list }) => ({
    list: (id, { text, ...page }) =>
      Effect.map(list(id, page), ({ presets, total }) => ({
        presets: presets.filter(({ slug }) => slug.toLowerCase().includes(text ?? "")),
        total
      }))
  })
})

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
  "keeps where each label points, whatever else happens to the preset": {
    "forgets the labels of a preset that is archived": ({ revise }) => ({
      revise: (revision) =>
        revision.next._tag === "Archived"
          ? revise({ ...revision, next: { ...revision.next, labels: {} } })
          : revise(revision)
    })
  },
  "remembers who moved a label when, from where and to where, and who took it away": {
    "forgets that a label was taken away": ({ labelMoves }) => ({
      labelMoves: (id, page) =>
        Effect.map(labelMoves(id, page), (all) => all.filter(({ to }) => to !== null))
    })
  },
  "keeps the moves of labels apart, of presets, and from designations": {
    "shows the moves of all labels": ({ labelMoves }, tables) => ({
      labelMoves: (id, page) =>
        Effect.as(labelMoves(id, page), [...(tables.labelMoves.get(id) ?? [])])
    })
  },
  "answers the stretch of the moves that a page asks for": {
    "begins each page of moves with none before": ({ labelMoves }) => ({
      labelMoves: (id, page) =>
        Effect.map(labelMoves(id, page), ([first, ...others]) =>
          first === undefined ? [] : [{ ...first, from: null }, ...others]
        )
    })
  },
  "knows where a label pointed at an instant, and that there was none": {
    "points to the last version of a label that was taken away": labelledBy((all, at) =>
      all.filter(({ to }) => to !== null).findLast(isUpTo(at))
    )
  },
  "takes the last of a label's moves up to an instant when a clock went back": {
    "takes the move with the latest clock": labelledBy((all, at) =>
      all.toSorted(byClock).findLast(isUpTo(at))
    )
  },
  "lets one of 16 writers move a label that all of them saw at the same place": {
    "moves labels without a fence": ({ revise }, tables) => ({
      revise: (revision) => Effect.suspend(() => revise(unfenced(tables, revision)))
    })
  },
  "has a history of a label that says where it is, after 16 writers at once": {
    "keeps the move of a revision that is refused": ({ revise }, { labelMoves }) => ({
      revise: (revision) =>
        Effect.tapError(revise(revision), () =>
          Effect.sync(() => {
            if (revision.label !== undefined) {
              labelMoves.get(revision.next.id)?.push(revision.label)
            }
          })
        )
    })
  },
  "lists the protected labels of a workspace, by whom and since when, by name": {
    "protects anew what is protected": ({ protect, unprotect }) => ({
      protect: (protection) =>
        Effect.andThen(unprotect(protection.workspaceId, protection.label), protect(protection))
    })
  },
  "protects as many labels of a workspace as are allowed, and no more at once": {
    "protects any number of labels": (_, { protectedLabels }) => ({
      protect: ({ workspaceId, ...each }) =>
        Effect.sync(() => {
          protectedLabels.set(workspaceId, [...(protectedLabels.get(workspaceId) ?? []), each])
        })
    })
  },
  "moves no label that was taken for free and is protected, and writes nothing": {
    "never looks who protects a label": ({ revise }) => ({
      revise: (revision) => revise(heedless(revision))
    })
  },
  "changes no preset whose labels were taken for free while one is protected": {
    "looks who protects the first label alone": ({ revise }) => ({
      revise: ({ freeLabels = [], ...revision }) =>
        revise({ ...revision, freeLabels: freeLabels.slice(0, 1) })
    })
  },
  "moves no label from the moment on in which somebody is told that it is protected": {
    "looks who protects a label before others write": ({ protectedLabels, revise }) => ({
      revise: (revision) =>
        Effect.gen(function* () {
          const held = yield* protectedLabels(revision.next.workspaceId)
          if (held.length > 0) return yield* revise(revision)
          for (let turn = 0; turn < 40; turn += 1) yield* Effect.yieldNow
          yield* revise(heedless(revision))
        })
    })
  },
  "lists and counts the presets that have a label or a text in them, and no others": {
    "compares texts with their case": ({ list }) => ({
      list: (id, { text, ...page }) =>
        Effect.map(list(id, { ...page, ...whole }), ({ presets }) => {
          const found = presets.filter(({ description, name, slug }) =>
            [slug, name, description ?? ""].some((each) => each.includes(text ?? ""))
          )
          return { presets: found, total: found.length }
        })
    })
  },
  "answers the stretch of the presets that pass the filters, page by page": {
    "filters a page and not the list": ({ list }) => ({
      list: (id, { text, ...page }) =>
        Effect.map(list(id, page), ({ presets, total }) => ({
          presets: presets.filter(({ slug }) => slug.toLowerCase().includes(text ?? "")),
          total
        }))
    })
  }
})

import { PresetStore, type Revision } from "@verbatim/core/ports"
import { Effect } from "effect"
import { doBefore, plantFaults, type Replacement, type Tables } from "./Fault.ts"
import { storedOf } from "./StoredPreset.ts"

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
  "refuses a revision that was decided on another one, and writes nothing": {
    "revises without a fence": ({ revise }, tables) => ({
      revise: (revision) => Effect.suspend(() => revise(unfenced(tables, revision)))
    })
  },
  "lets exactly one of many revisions that were decided on the same one win": {
    "looks at the fence before others write": ({ revise }, tables) => ({
      revise: reviseLate(revise, tables)
    })
  },
  "loses neither versions nor changes when both come at once": {
    "loses a version that comes between the look and the write of a revision": (
      { revise },
      tables
    ) => ({
      revise: (revision) =>
        Effect.tap(reviseLate(revise, tables)(revision), () =>
          Effect.sync(() => tables.presets.set(revision.next.id, revision.next))
        )
    })
  },
  "refuses a revision of a preset that does not exist, and writes nothing": {
    "takes a revision of nothing for done": ({ revise }, { presets }) => ({
      revise: (revision) =>
        Effect.suspend(() => (presets.has(revision.next.id) ? revise(revision) : Effect.void))
    })
  },
  "never changes whose a preset is, its slug, its versions and its birth": {
    "writes the whole row of a revision": ({ revise }, { presets }) => ({
      revise: (revision) =>
        Effect.tap(revise(revision), () =>
          Effect.sync(() => presets.set(revision.next.id, revision.next))
        )
    })
  },
  "appends to a disabled preset as to any, and leaves what else was changed": {
    "makes a preset active again by adding a version": activating("Disabled")
  },
  "takes no version for an archived preset, until it is restored": {
    "restores an archived preset by adding a version": activating("Archived")
  }
})

/** Faults of stores that keep labels, their protection and their presets badly. */
import { PresetStore, type Revision } from "@verbatim/core/ports"
import type { Preset, PresetId, PresetLabels, ProtectedLabel } from "@verbatim/core/preset"
import { Clock, Effect, Option } from "effect"
import { replacing, type Tables } from "../faults/Fault.ts"
import type { Plant } from "./Plants.ts"

const linear = "a preset does one thing after another"
const left = "a preset that is removed leaves nothing"

/** For so long, in milliseconds. */
const believedMillis = 20_000

/** A revision as if it had been decided just now. */
const decidedNow = ({ presets }: Tables, revision: Revision): Revision => ({
  ...revision,
  expectedRevision: presets.get(revision.next.id)?.revision ?? revision.expectedRevision
})

const withLabels = (preset: Preset, labels: PresetLabels): Preset => ({ ...preset, labels })

/** Every label that a preset ever had still points somewhere for those who read it. */
const undying = replacing(PresetStore, ({ find, revise }) => {
  const known = new Map<PresetId, PresetLabels>()
  return {
    revise: (revision) =>
      Effect.tap(revise(revision), () =>
        Effect.sync(() => {
          const { id, labels } = revision.next
          known.set(id, { ...known.get(id), ...labels })
        })
      ),
    find: (workspaceId, slug) =>
      Effect.map(find(workspaceId, slug), (found) =>
        Option.map(found, ({ preset, version }) => ({
          preset: withLabels(preset, { ...known.get(preset.id), ...preset.labels }),
          version
        }))
      )
  }
})

/** Writes the label of the last write but one. */
const behind = replacing(PresetStore, ({ find }) => {
  const before = new Map<PresetId, PresetLabels>()
  return {
    find: (workspaceId, slug) =>
      Effect.map(find(workspaceId, slug), (found) =>
        Option.map(found, ({ preset, version }) => {
          const shown = before.get(preset.id) ?? preset.labels
          before.set(preset.id, preset.labels)
          return { preset: withLabels(preset, shown), version }
        })
      )
  }
})

/** What was read about protection is believed for a while, and nobody looks again. */
const forgetful = replacing(PresetStore, ({ protectedLabels, revise }) => {
  let known: { readonly all: ReadonlyArray<ProtectedLabel>; readonly at: number } | undefined
  return {
    protectedLabels: (workspaceId) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        if (known === undefined || at - known.at > believedMillis) {
          known = { all: yield* protectedLabels(workspaceId), at }
        }
        return known.all
      }),
    revise: (revision) => revise({ ...revision, freeLabels: [] })
  }
})

export const labelPlants: ReadonlyArray<Plant> = [
  {
    fault: "nobody looks which labels are protected",
    breaks: [linear],
    options: {
      adapters: replacing(PresetStore, ({ revise }) => ({
        protectedLabels: () => Effect.succeed([]),
        revise: (revision) => revise({ ...revision, freeLabels: [] })
      }))
    },
    seed: 33
  },
  {
    fault: "nobody looks which labels of a preset are protected when its status changes",
    breaks: [linear],
    options: {
      adapters: replacing(PresetStore, ({ protectedLabels, revise }, { presets }) => ({
        protectedLabels: (workspaceId) =>
          Effect.map(protectedLabels(workspaceId), (all) =>
            [...presets.values()].some(({ slug }) => slug === "going") ? [] : all
          ),
        revise: (revision) => revise({ ...revision, freeLabels: [] })
      }))
    },
    seed: 189
  },
  {
    fault: "a label is moved by what was known of its protection a while ago",
    breaks: [linear],
    options: { adapters: forgetful },
    seed: 145
  },
  {
    fault: "the protection of a label is acknowledged and not written",
    breaks: [linear],
    options: { adapters: replacing(PresetStore, () => ({ protect: () => Effect.void })) },
    seed: 33
  },
  {
    fault: "a label is moved whoever else has moved it meanwhile",
    breaks: [linear],
    options: {
      adapters: replacing(PresetStore, ({ revise }, tables) => ({
        revise: (revision) =>
          Effect.delay(
            Effect.suspend(() => revise(decidedNow(tables, revision))),
            "20 millis"
          )
      }))
    },
    seed: 14
  },
  {
    fault: "a move of a label is not in its history",
    breaks: [linear],
    options: {
      adapters: replacing(PresetStore, ({ revise }) => ({
        revise: ({ label, ...revision }) =>
          revise(label?.from === null ? revision : { ...revision, label })
      }))
    },
    seed: 5
  },
  {
    fault: "a label that was removed goes on resolving",
    breaks: [linear],
    options: { adapters: undying },
    seed: 14
  },
  {
    fault: "a label resolves to where it was when somebody looked before",
    breaks: [linear],
    options: { adapters: behind },
    seed: 6
  },
  {
    fault: "content is erased and stays",
    breaks: [linear],
    options: {
      adapters: replacing(PresetStore, ({ revise }) => ({
        revise: ({ erasure: _, ...revision }) => revise(revision)
      }))
    },
    seed: 6
  },
  {
    fault: "a staged version is designated",
    breaks: [linear],
    options: {
      adapters: replacing(PresetStore, ({ append }) => ({
        append: (draft) => append({ ...draft, stage: false })
      }))
    },
    seed: 5
  },
  {
    fault: "the removal of a preset is acknowledged and not written",
    breaks: [linear],
    options: { adapters: replacing(PresetStore, () => ({ remove: () => Effect.void })) },
    seed: 34
  },
  {
    fault: "versions of a removed preset are left behind",
    breaks: [left],
    options: {
      adapters: replacing(PresetStore, ({ remove }, { versions }) => ({
        remove: (wanted) =>
          Effect.suspend(() => {
            const own = versions.get(wanted.presetId)
            return Effect.tap(remove(wanted), () =>
              Effect.sync(() => own && versions.set(wanted.presetId, own))
            )
          })
      }))
    },
    seed: 34
  },
  {
    fault: "an archived preset is removed with nobody asking",
    breaks: [linear],
    options: {
      adapters: replacing(PresetStore, ({ remove, revise }) => ({
        revise: (revision) =>
          Effect.tap(revise(revision), () =>
            revision.next._tag === "Archived"
              ? remove({
                  presetId: revision.next.id,
                  expectedRevision: revision.next.revision,
                  freeLabels: []
                })
              : Effect.void
          )
      }))
    },
    seed: 8
  }
]

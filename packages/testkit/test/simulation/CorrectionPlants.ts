/** Faults of stores that mix corrections, lose them, repeat them, or keep them for too long. */
import type { Overlay } from "@verbatim/core/correction"
import { CorrectionStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { replacing, type Tables } from "../faults/Fault.ts"
import type { Plant } from "./Plants.ts"

type Commit = Parameters<CorrectionStore["Service"]["commit"]>[0]

/** Writes a correction over what was recognised, where it belongs beside it. */
const writeOver = ({ jobs }: Tables, { next }: Commit): void => {
  const row = jobs.get(next.id)
  if (row === undefined) return
  const texts = new Map(next.overlay.segments.map(({ index, text }) => [index, text]))
  const transcript = Option.map(row.transcript, ({ segments, ...rest }) => ({
    ...rest,
    segments: segments.map((segment, index) => ({
      ...segment,
      text: texts.get(index) ?? segment.text
    }))
  }))
  jobs.set(next.id, { ...row, transcript })
}

const mixed = "a transcript is read as one version of its corrections"

export const correctionPlants: ReadonlyArray<Plant> = [
  {
    fault: "names of speakers are those of the version before",
    breaks: [mixed],
    options: {
      adapters: replacing(CorrectionStore, ({ current, overlayAt }) => ({
        current: (id) =>
          Effect.flatMap(
            current(id),
            Option.match({
              onNone: () => Effect.succeedNone,
              onSome: (found) =>
                Effect.map(overlayAt(id, found.version - 1), ({ speakers }) =>
                  Option.some({ ...found, overlay: { ...found.overlay, speakers } })
                )
            })
          )
      }))
    },
    seed: 13
  },
  {
    fault: "a long overlay is read by half",
    breaks: [mixed],
    options: {
      adapters: replacing(CorrectionStore, ({ current }) => ({
        current: (id) => Effect.map(current(id), Option.map(dropLast))
      }))
    },
    seed: 4
  },
  {
    fault: "corrections are read as they were first seen",
    breaks: ["who knows of a correction reads it", "a correction that is told is kept"],
    options: {
      adapters: replacing(CorrectionStore, ({ current, overlayAt }) => ({
        current: (id) =>
          Effect.flatMap(
            current(id),
            Option.match({
              onNone: () => Effect.succeedNone,
              onSome: (found) =>
                Effect.map(overlayAt(id, 1), (overlay) => Option.some({ ...found, overlay }))
            })
          )
      }))
    },
    seed: 4
  },
  {
    fault: "a correction is written over what was recognised",
    breaks: ["what was recognised never changes"],
    options: {
      adapters: replacing(CorrectionStore, ({ commit }, tables) => ({
        commit: (change) =>
          Effect.tap(commit(change), () => Effect.sync(() => writeOver(tables, change)))
      }))
    },
    seed: 4
  },
  {
    fault: "a writer who was slower is told that all is well",
    breaks: ["a correction that is told is kept"],
    options: {
      adapters: replacing(CorrectionStore, ({ commit }) => ({
        commit: (change) =>
          Effect.catchIf(
            commit(change),
            ({ reason }) => reason._tag === "Superseded",
            () => Effect.void
          )
      }))
    },
    seed: 35
  },
  {
    fault: "corrections stay without their transcript",
    breaks: ["no job goes by half"],
    options: {
      adapters: replacing(CorrectionStore, ({ commit, current }) => {
        const kept = new Map<string, Commit["next"]>()
        return {
          commit: (change) =>
            Effect.tap(commit(change), () =>
              Effect.sync(() => kept.set(change.next.id, change.next))
            ),
          current: (id) =>
            Effect.map(
              current(id),
              Option.orElse(() => Option.fromUndefinedOr(kept.get(id)))
            )
        }
      })
    },
    seed: 13
  }
]

const dropLast = <A extends { readonly overlay: Overlay }>(found: A): A => ({
  ...found,
  overlay: { ...found.overlay, segments: found.overlay.segments.slice(0, 1) }
})

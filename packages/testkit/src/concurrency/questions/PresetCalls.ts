/**
 * Questions about presets, put to the port and recorded.
 */

import { PresetStore } from "@verbatim/core/ports"
import type { DesignatedPreset, Preset } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { presetChangeId, userId, workspaceId } from "../../samples/Ids.ts"
import { label, revisionOf, slug as slugOf } from "../../samples/SamplePreset.ts"
import { later } from "../../samples/SampleWorkspace.ts"
import {
  designationDigest,
  draftOf,
  labelMoveDigest,
  type PresetChange,
  presetEventOf,
  roundLabels,
  sightOf,
  versionDigest
} from "./PresetChange.ts"
import type { Caller, Recorder } from "./Recorder.ts"

/** More than a round appends to one preset. */
const whole = { offset: 0, limit: 10_000 }

type ProtectedLabel = (typeof roundLabels)[number]

const protection = { workspaceId: workspaceId(1), by: userId(1), at: later(1) }

/** What a fiber asks about presets. */
export const presetCalls = Effect.fnUntraced(function* (recorder: Recorder) {
  const store = yield* PresetStore

  const append = (caller: Caller, slug: string) => {
    const version = recorder.number()
    let written: DesignatedPreset | undefined
    const answer = Effect.map(store.append(draftOf(slug, version)), (appended) => {
      written = appended
      return sightOf(appended)
    })
    const question = { slug, version }
    const asked = recorder.record(caller, { ask: "append", question, answer, id: version })
    return Effect.map(asked, () => written)
  }

  const revise = (
    caller: Caller,
    {
      known,
      ...wish
    }: Omit<PresetChange, "expectedRevision" | "number"> & {
      readonly known: Preset
    }
  ) => {
    const id = recorder.number()
    const change = { ...wish, number: id, expectedRevision: known.revision }
    // A number belongs to one process alone, and so must the change.
    const { isFree = false } = change
    const wanted = revisionOf(known, { event: presetEventOf(change), isFree })
    const revision = { ...wanted, id: presetChangeId(id) }
    const answer = Effect.as(store.revise(revision), null)
    const question = { slug: known.slug, change }
    return recorder.record(caller, { ask: "revise", question, answer, id })
  }

  const find = (caller: Caller, slug: string) => {
    let found: DesignatedPreset | undefined
    const answer = Effect.map(store.find(workspaceId(1), slugOf(slug)), (answered) => {
      found = Option.getOrUndefined(answered)
      return found === undefined ? null : sightOf(found)
    })
    const asked = recorder.record(caller, { ask: "findPreset", question: { slug }, answer })
    return Effect.map(asked, () => found)
  }

  const versions = (caller: Caller, { id, slug }: Preset) =>
    recorder.record(caller, {
      ask: "versions",
      question: { slug },
      answer: Effect.map(store.versions(id, whole), (list) => list.map(versionDigest))
    })

  const designations = (caller: Caller, { id, slug }: Preset) =>
    recorder.record(caller, {
      ask: "designations",
      question: { slug },
      answer: Effect.map(store.designations(id, whole), (list) => list.map(designationDigest))
    })

  /** All moves of all labels. */
  const labelMoves = (caller: Caller, { id, slug }: Preset) =>
    recorder.record(caller, {
      ask: "labelMoves",
      question: { slug },
      answer: Effect.map(
        Effect.forEach(roundLabels, (name) =>
          store.labelMoves(id, { ...whole, label: label(name) })
        ),
        (lists) => lists.map((list) => list.map(labelMoveDigest).join()).toSorted()
      )
    })

  const protect = (caller: Caller, name: ProtectedLabel) =>
    recorder.record(caller, {
      ask: "protect",
      question: { label: name },
      answer: Effect.as(store.protect({ ...protection, label: label(name) }), null)
    })

  const unprotect = (caller: Caller, name: ProtectedLabel) =>
    recorder.record(caller, {
      ask: "unprotect",
      question: { label: name },
      answer: Effect.as(store.unprotect(workspaceId(1), label(name)), null)
    })

  return { append, designations, find, labelMoves, protect, revise, unprotect, versions }
})

/**
 * One preset in a store that does one thing after another: each verb means what the pure machine in
 * core says.
 */
import {
  designationOf,
  firstPreset,
  type LabelMove,
  moveBetween,
  nextPreset,
  type Preset,
  transition,
  versionOf
} from "@verbatim/core/preset"
import { Option, Result } from "effect"
import { userId } from "../../samples/Ids.ts"
import { digestOf } from "../questions/Digest.ts"
import {
  designationDigest,
  draftOf,
  labelMoveDigest,
  type PresetSight,
  presetEventOf,
  roundLabels,
  versionDigest
} from "../questions/PresetChange.ts"
import type { Recorded, RecordOf } from "../questions/Question.ts"
import { digestOnce } from "./DigestOnce.ts"
import type { Model, Operation } from "./Linear.ts"

/** All that a store keeps about a preset. */
export interface PresetState {
  readonly preset: Preset | null
  /** As they are listed. */
  readonly versions: ReadonlyArray<string>
  readonly designations: ReadonlyArray<string>
  /** All moves of labels. */
  readonly moves: ReadonlyArray<LabelMove>
  /** A digest of these lists: two orders of the same versions are two states. */
  readonly listed: string
}

/** A question about one preset. */
export interface PresetOperation extends Operation {
  readonly record: Recorded
  /** Whether it may have been refused because somebody protects its label. */
  readonly mayBeHeld?: boolean
}

const sees = ({ preset, versions }: PresetState, sight: PresetSight | null): boolean => {
  if (sight === null || preset === null) return sight === preset
  return (
    digestOnce(preset) === sight.digest && versions[preset.designatedVersion - 1] === sight.version
  )
}

/** Appends a version, a designation or both to the lists. */
const enlist = (
  { designations, listed, moves, versions }: PresetState,
  preset: Preset,
  added: { readonly version?: string; readonly designation?: string; readonly move?: LabelMove }
): PresetState => ({
  preset,
  moves: added.move === undefined ? moves : [...moves, added.move],
  versions: added.version === undefined ? versions : [...versions, added.version],
  designations:
    added.designation === undefined ? designations : [...designations, added.designation],
  listed: digestOf([listed, added])
})

const append = (state: PresetState, { outcome, question }: RecordOf<"append">) => {
  const draft = draftOf(question.slug, question.version)
  const preset =
    state.preset === null
      ? firstPreset(draft)
      : Option.getOrUndefined(nextPreset(state.preset, draft))
  if (outcome.is === "refused") return preset === undefined ? state : undefined
  if (preset === undefined) return undefined
  const from = state.preset?.designatedVersion ?? null
  const designation = Option.map(designationOf(preset, draft), (each) =>
    designationDigest({ ...each, from })
  )
  const next = enlist(state, preset, {
    version: versionDigest(versionOf(preset, draft)),
    ...Option.match(designation, { onNone: () => ({}), onSome: (each) => ({ designation: each }) })
  })
  return outcome.is === "answered" && !sees(next, outcome.answer) ? undefined : next
}

const revise = (
  state: PresetState,
  { outcome, question }: RecordOf<"revise">,
  mayBeHeld: boolean
) => {
  const { preset } = state
  const { change } = question
  const isBehind = preset?.revision !== change.expectedRevision
  if (outcome.is === "refused") return isBehind || mayBeHeld ? state : undefined
  if (isBehind || preset === null) return undefined
  const event = presetEventOf(change)
  const next = Result.getOrUndefined(transition(preset, event))
  if (next === undefined) return undefined
  if (event._tag === "LabelMoved" || event._tag === "LabelRemoved") {
    const { label } = event
    return enlist(state, next, {
      move: moveBetween({ before: preset, next }, { by: userId(1), label })
    })
  }
  if (event._tag !== "Designated") return { ...state, preset: next }
  const designation = designationDigest({
    presetId: next.id,
    revision: next.revision,
    from: preset.designatedVersion,
    to: next.designatedVersion,
    // Whom `revisionOf` names.
    by: userId(1),
    at: event.at
  })
  return enlist(state, next, { designation })
}

const step = (
  state: PresetState,
  { mayBeHeld = false, record }: PresetOperation
): PresetState | undefined => {
  if (record.ask === "append") return append(state, record)
  if (record.ask === "revise") return revise(state, record, mayBeHeld)
  const { outcome } = record
  if (outcome.is !== "answered") return state
  switch (record.ask) {
    case "findPreset":
      return record.outcome.is === "answered" && sees(state, record.outcome.answer)
        ? state
        : undefined
    case "versions":
    case "designations":
      return String(outcome.answer) === state[record.ask].join() ? state : undefined
    case "labelMoves":
      return String(outcome.answer) === tellMoves(state.moves) ? state : undefined
    default:
      return state
  }
}

/** As they are asked for: label by label. */
const tellMoves = (moves: ReadonlyArray<LabelMove>): string =>
  String(
    roundLabels
      .map((name) =>
        moves
          .filter(({ label }) => label === name)
          .map(labelMoveDigest)
          .join()
      )
      .toSorted()
  )

/** A preset that nobody has made. */
export const presetModel: Model<PresetState, PresetOperation> = {
  initial: { preset: null, versions: [], designations: [], moves: [], listed: "" },
  step,
  isLook: ({ record: { ask, outcome } }) =>
    outcome.is === "refused" || (ask !== "append" && ask !== "revise"),
  key: ({ listed, preset }) => (preset === null ? "" : `${digestOnce(preset)} ${listed}`)
}

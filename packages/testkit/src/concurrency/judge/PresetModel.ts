/**
 * One preset in a store that does one thing after another: each verb means what the pure machine in
 * core says.
 */
import { createPreset, type Preset, transition } from "@verbatim/core/preset"
import { Result } from "effect"
import { userId, versionId } from "../../samples/Ids.ts"
import { instantOf } from "../questions/Deed.ts"
import {
  designationDigest,
  draftOf,
  type PresetSight,
  presetEventOf,
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
}

/** A question about one preset. */
export interface PresetOperation extends Operation {
  readonly record: Recorded
}

const sees = ({ preset, versions }: PresetState, sight: PresetSight | null): boolean => {
  if (sight === null || preset === null) return sight === preset
  return (
    digestOnce(preset) === sight.digest && versions[preset.designatedVersion - 1] === sight.version
  )
}

const grow = (preset: Preset | null, slug: string, number: number): Preset | undefined => {
  const draft = draftOf(slug, number)
  const { creatorId: creatorUserId, presetId: id, versionId, ...rest } = draft
  if (preset === null) return createPreset({ ...rest, id, creatorUserId, versionId })
  const event = { _tag: "VersionAdded" as const, at: instantOf(number), versionId: versionId }
  return Result.getOrUndefined(transition(preset, event))
}

const append = (state: PresetState, { outcome, question }: RecordOf<"append">) => {
  const { slug, version } = question
  const preset = grow(state.preset, slug, version)
  if (outcome.is === "refused") {
    return outcome.reason === "Archived" && preset !== undefined ? undefined : state
  }
  if (preset === undefined) return undefined
  const { config, creatorId, systemPrompt } = draftOf(slug, version)
  const added = { id: versionId(version), version: preset.latestVersion, systemPrompt, config }
  const next = {
    preset,
    versions: [...state.versions, versionDigest(added)],
    designations: [
      ...state.designations,
      designationDigest({
        revision: preset.revision,
        from: state.preset?.designatedVersion ?? null,
        to: preset.latestVersion,
        by: creatorId
      })
    ]
  }
  return outcome.is === "answered" && !sees(next, outcome.answer) ? undefined : next
}

const revise = (state: PresetState, { outcome, question }: RecordOf<"revise">) => {
  const { preset } = state
  const { change } = question
  const isBehind = preset?.revision !== change.expectedRevision
  if (outcome.is === "refused") {
    return outcome.reason === "Superseded" && !isBehind ? undefined : state
  }
  if (isBehind || preset === null) return undefined
  const event = presetEventOf(change)
  const next = Result.getOrUndefined(transition(preset, event))
  if (next === undefined) return undefined
  const designation = designationDigest({
    revision: next.revision,
    from: preset.designatedVersion,
    to: next.designatedVersion,
    // Whom `revisionOf` names.
    by: userId(1)
  })
  const isDesignation = event._tag === "Designated"
  return {
    ...state,
    preset: next,
    designations: isDesignation ? [...state.designations, designation] : state.designations
  }
}

const step = (state: PresetState, { record }: PresetOperation): PresetState | undefined => {
  if (record.ask === "append") return append(state, record)
  if (record.ask === "revise") return revise(state, record)
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
    default:
      return state
  }
}

/** A preset that nobody has made. */
export const presetModel: Model<PresetState, PresetOperation> = {
  initial: { preset: null, versions: [], designations: [] },
  step,
  isLook: ({ record: { ask, outcome } }) =>
    outcome.is === "refused" || (ask !== "append" && ask !== "revise"),
  key: ({ preset, versions }) =>
    preset === null ? "" : `${preset.revision} ${digestOnce(preset)} ${versions.at(-1)}`
}

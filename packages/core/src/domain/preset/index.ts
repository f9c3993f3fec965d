/**
 * A preset and its versions: the machine, what is shown of it, and why a change is refused.
 */

export { type DesignatedPreset, toDesignatedPreset } from "./DesignatedPreset.ts"
export { Designation } from "./Designation.ts"
export { applyLabelMove, applyLabelRemoval, judgeLabel, type LabelMover } from "./LabelChange.ts"
export { LabelMove, moveBetween } from "./LabelMove.ts"
export {
  judgeProtection,
  type OperatorOf,
  ProtectedLabel,
  type Protector,
  protectedLabelMax
} from "./LabelProtection.ts"
export { Event, edges, isTerminal, Preset, State, transition } from "./Preset.ts"
export {
  applyChange,
  applyDesignation,
  PresetChange,
  PresetStatus,
  refuseErased
} from "./PresetChange.ts"
export { PresetChangeId } from "./PresetChangeId.ts"
export type {
  Comparison,
  Erasure,
  LabelRemoval,
  LabelWrite,
  Named,
  NamedByLabel,
  PresetCreation,
  PresetRemoval,
  PresetWanted,
  PresetWrite,
  VersionFromParts,
  VersionParts
} from "./PresetCommand.ts"
export { type PresetCondition, Unmet, unmetBy, unmetByLabel } from "./PresetCondition.ts"
export { PresetConfig } from "./PresetConfig.ts"
export {
  formatOf,
  type HeldContent,
  isSameContent,
  type PresetContent,
  toRequestBody,
  toRequestFormat
} from "./PresetContent.ts"
export { PresetDiff } from "./PresetDiff.ts"
export {
  answerRepeat,
  createPreset,
  designationOf,
  firstPreset,
  type KeyedRequest,
  nextPreset,
  type PresetDraft,
  versionOf
} from "./PresetDraft.ts"
export { decodeFile, encodeFile, type PresetFile, type PresetTraits } from "./PresetFile.ts"
export { type PresetFilter, SearchText, searchMax } from "./PresetFilter.ts"
export { applyErasure, judgeRemoval } from "./PresetHousekeeping.ts"
export { PresetId } from "./PresetId.ts"
export {
  LabelTarget,
  labelMax,
  listLabels,
  type NamedLabel,
  PresetLabels,
  type ShownLabel,
  targetOf
} from "./PresetLabels.ts"
export {
  birthTraits,
  type HeldPreset,
  type HeldVersion,
  type PlannedChanges,
  type PlanStep,
  type PlanWanted,
  type PresetPlan,
  planPreset,
  pointedOf
} from "./PresetPlan.ts"
export type { PresetPreview } from "./PresetPreview.ts"
export * from "./PresetRefusal.ts"
export type { MeantVersion, PresetResolution } from "./PresetResolution.ts"
export { PresetSlug, slugMax } from "./PresetSlug.ts"
export {
  ContentErasure,
  commentMax,
  eraseContent,
  PresetVersion,
  PresetVersionId,
  VersionComment
} from "./PresetVersion.ts"
export {
  FullVersionView,
  ListedPresetView,
  PresetVersionView,
  PresetView,
  toFullVersionView,
  toListedView,
  toVersionView,
  toView,
  Variables,
  Wins
} from "./PresetView.ts"
export { numberAt, type VersionPoint } from "./VersionPoint.ts"

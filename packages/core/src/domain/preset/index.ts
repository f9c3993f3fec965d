/**
 * A preset and its versions: the machine, what is shown of it, and why a change is refused.
 */

export * from "./Designation.ts"
export {
  applyLabelMove,
  applyLabelRemoval,
  judgeLabel,
  judgeProtection,
  type LabelMover,
  type OperatorOf,
  ProtectedLabel,
  type Protector,
  protectedLabelMax
} from "./LabelChange.ts"
export * from "./Preset.ts"
export {
  applyChange,
  applyDesignation,
  applyErasure,
  judgeRemoval,
  PresetChange,
  PresetChangeId,
  PresetStatus,
  refuseErased
} from "./PresetChange.ts"
export * from "./PresetCommand.ts"
export {
  isSameContent,
  type PresetContent,
  toRequestBody,
  toRequestFormat
} from "./PresetContent.ts"
export { PresetDiff } from "./PresetDiff.ts"
export * from "./PresetDraft.ts"
export * from "./PresetFile.ts"
export { type PresetFilter, SearchText, searchMax } from "./PresetFilter.ts"
export * from "./PresetLabels.ts"
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
export * from "./PresetRefusal.ts"
export { type PresetCondition, Unmet, unmetBy, unmetByLabel } from "./PresetRefusal.ts"
export type { MeantVersion, PresetPreview, PresetResolution } from "./PresetResolution.ts"
export { PresetSlug, slugMax } from "./PresetSlug.ts"
export {
  ContentErasure,
  commentMax,
  eraseContent,
  PresetConfig,
  PresetId,
  PresetVersion,
  PresetVersionId,
  VersionComment
} from "./PresetVersion.ts"
export * from "./PresetView.ts"
export * from "./VersionPoint.ts"

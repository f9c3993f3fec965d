/**
 * A preset and its versions: the machine, the views, and the refusals.
 */

export * from "./Designation.ts"
export {
  applyLabelMove,
  applyLabelRemoval,
  type CallerScopes,
  checkLabelMove,
  checkProtection,
  type OperatorOf,
  ProtectedLabel,
  type ProtectionCaller,
  protectedLabelMax
} from "./LabelChange.ts"
export * from "./Preset.ts"
export {
  applyChange,
  applyDesignation,
  applyErasure,
  checkRemoval,
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
  findPointedVersion,
  initialTraits,
  type PlanInput,
  type PlannedChanges,
  type PlanStep,
  type PresetPlan,
  planPreset,
  type StoredPreset,
  type StoredVersion
} from "./PresetPlan.ts"
export * from "./PresetRefusal.ts"
export {
  findUnmetCondition,
  findUnmetLabelCondition,
  type PresetCondition,
  Unmet
} from "./PresetRefusal.ts"
export type { PresetPreview, PresetResolution, ResolvedVersion } from "./PresetResolution.ts"
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
export * from "./VersionSelector.ts"

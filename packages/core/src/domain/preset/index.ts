/** Presets and their versions: state machine, response forms and refusals. */

export * from "./Designation.ts"
export * from "./LabelChange.ts"
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
export { type PresetFilter, SearchText, searchMax } from "./PresetFilter.ts"
export * from "./PresetLabels.ts"
export * from "./PresetPlan.ts"
export * from "./PresetRefusal.ts"
export type { PresetPreview, PresetResolution, ResolvedVersion } from "./PresetResolution.ts"
export { PresetSlug, slugMax } from "./PresetSlug.ts"
export * from "./PresetVersion.ts"
export * from "./PresetView.ts"
export * from "./VersionSelector.ts"

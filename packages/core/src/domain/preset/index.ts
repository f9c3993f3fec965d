/**
 * A preset and its versions: the machine, what is shown of it, and why a change is refused.
 */
export { type DesignatedPreset, toDesignatedPreset } from "./DesignatedPreset.ts"
export { Designation } from "./Designation.ts"
export { createPreset, Event, edges, isTerminal, Preset, State, transition } from "./Preset.ts"
export { applyChange, applyDesignation, PresetChange, PresetStatus } from "./PresetChange.ts"
export { PresetChangeId } from "./PresetChangeId.ts"
export type { Named, PresetCreation, PresetWanted, PresetWrite } from "./PresetCommand.ts"
export { type PresetCondition, Unmet, unmetBy } from "./PresetCondition.ts"
export { PresetConfig } from "./PresetConfig.ts"
export { PresetDiff } from "./PresetDiff.ts"
export {
  designationOf,
  firstPreset,
  type KeyedRequest,
  nextPreset,
  type PresetDraft,
  versionOf
} from "./PresetDraft.ts"
export { PresetId } from "./PresetId.ts"
export type { PresetPreview } from "./PresetPreview.ts"
export * from "./PresetRefusal.ts"
export type { PinnedVersion, PresetResolution } from "./PresetResolution.ts"
export { PresetSlug, slugMax } from "./PresetSlug.ts"
export { PresetVersion, PresetVersionId } from "./PresetVersion.ts"
export {
  ListedPresetView,
  PresetVersionView,
  PresetView,
  toListedView,
  toVersionView,
  toView
} from "./PresetView.ts"

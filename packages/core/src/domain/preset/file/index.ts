/**
 * Presets as files: what a file holds, and what it takes to make a store agree with it.
 */
export {
  formatOf,
  type HeldContent,
  isSameContent,
  type PresetContent,
  toRequestBody,
  toRequestFormat
} from "./PresetContent.ts"
export { type Drifted, type ExpectedPreset, findDrift } from "./PresetDrift.ts"
export { decodeFile, encodeFile, type PresetFile, type PresetTraits } from "./PresetFile.ts"
export {
  type HeldPreset,
  type HeldVersion,
  type PlannedChanges,
  type PlanStep,
  type PlanWanted,
  type PresetPlan,
  planPreset,
  pointedOf
} from "./PresetPlan.ts"

/**
 * A preset together with the version that requests resolve against.
 */
import type { Preset } from "./Preset.ts"
import type { PresetVersion } from "./PresetVersion.ts"

/** A preset with its designated version. */
export interface DesignatedPreset {
  readonly preset: Preset
  readonly version: PresetVersion
}

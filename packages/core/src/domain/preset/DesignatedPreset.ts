/**
 * A preset together with the version that requests resolve against.
 */
import type { Preset } from "./Preset.ts"
import type { PresetVersion } from "./PresetVersion.ts"

/** A preset with its designated version; in the answer to a staged draft, with that one. */
export interface DesignatedPreset {
  readonly preset: Preset
  readonly version: PresetVersion
}

/** The preset with its designation set back to that version; all else stays as it is. */
export const toDesignatedPreset = (preset: Preset, version: PresetVersion): DesignatedPreset => ({
  preset: {
    ...preset,
    designatedVersion: version.version,
    designatedVersionId: version.id
  },
  version
})

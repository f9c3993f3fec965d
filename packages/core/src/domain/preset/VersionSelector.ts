/**
 * Selects a version of a preset: by number, by label, or as `designated` or `latest`.
 */
import { Result } from "effect"
import type { InvalidRequest } from "../schema/Problem.ts"
import * as LabelName from "../workspace/LabelName.ts"
import type { Preset } from "./Preset.ts"
import { targetOf } from "./PresetLabels.ts"
import { LabelNotFound } from "./PresetRefusal.ts"
import type { PresetVersion } from "./PresetVersion.ts"

/** The number of a version, the name of a label, `designated` or `latest`. */
export type VersionSelector = number | string

/**
 * Returns the number of the selected version. A version that is selected by number may not exist.
 */
export const findVersionNumber = (
  preset: Preset,
  point: VersionSelector
): Result.Result<number, InvalidRequest | LabelNotFound> => {
  if (typeof point === "number") return Result.succeed(point)
  if (point === "designated") return Result.succeed(preset.designatedVersion)
  if (point === "latest") return Result.succeed(preset.latestVersion)
  return Result.flatMap(LabelName.decode(point), (label) => {
    const target = targetOf(preset.labels, label)
    return target === undefined
      ? Result.fail(new LabelNotFound({ slug: preset.slug, label }))
      : Result.succeed(target.version)
  })
}

// A preset with the version that it resolves to.

/**
 * A preset with its designated version or, as the result of a staged draft, with the staged
 * version.
 */
export interface DesignatedPreset {
  readonly preset: Preset
  readonly version: PresetVersion
}

/** Returns the preset with the given version designated, and otherwise unchanged. */
export const toDesignatedPreset = (preset: Preset, version: PresetVersion): DesignatedPreset => ({
  preset: {
    ...preset,
    designatedVersion: version.version,
    designatedVersionId: version.id
  },
  version
})

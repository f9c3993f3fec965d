/**
 * How a version of a preset is named: by its number, by a label, or as `designated` or `latest`.
 */
import { Result } from "effect"
import type { InvalidRequest } from "../schema/Problem.ts"
import * as LabelName from "../workspace/LabelName.ts"
import type { Preset } from "./Preset.ts"
import { targetOf } from "./PresetLabels.ts"
import { LabelNotFound } from "./PresetRefusal.ts"
import type { PresetVersion } from "./PresetVersion.ts"

/** The number of a version, the name of a label, `designated` or `latest`. */
export type VersionPoint = number | string

/** The number of a version that is named; there may be no version of a number that was given. */
export const numberAt = (
  preset: Preset,
  point: VersionPoint
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

// A preset together with the version that requests resolve against.

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

/**
 * A request over a version of a preset, and which version that is.
 */
import { type Resolution, resolve } from "@verbatim/resolution"
import { Result } from "effect"
import type { RequestPreview } from "../request/RequestPreview.ts"
import { InvalidRequest } from "../schema/Problem.ts"
import type { PresetDiff } from "./PresetDiff.ts"
import type { PresetSlug } from "./PresetSlug.ts"
import type { PresetVersion, PresetVersionId } from "./PresetVersion.ts"

/** What a reference means at an instant: one version of a preset. */
export interface MeantVersion {
  readonly slug: PresetSlug
  /** The label by which it was named. */
  readonly label?: string
  readonly version: PresetVersion
}

/** The version that a request was laid over. */
interface ResolvedPreset {
  readonly slug: PresetSlug
  readonly version: number
  readonly versionId: PresetVersionId
  readonly label?: string
}

/** A request with everything that its preset adds, in its own format. */
export interface PresetResolution extends Omit<Resolution, "unfilled"> {
  readonly preset: ResolvedPreset
}

/** A request, and the format it is in; without one, the format is told by its fields. */
export interface ResolvingRequest {
  readonly request: Resolution["request"]
  readonly format?: Resolution["format"] | undefined
}

/** Lays a request over a pinned version, whose prompt must have all of its values. */
export const layOver = (
  { label, slug, version }: MeantVersion,
  { format, request }: ResolvingRequest
): Result.Result<PresetResolution, InvalidRequest> => {
  const resolution = resolve(version, request, format)
  const { unfilled } = resolution
  if (unfilled !== undefined) {
    return Result.fail(new InvalidRequest({ problems: [{ path: "variables", rule: unfilled }] }))
  }
  return Result.succeed({
    ...resolution,
    preset: {
      slug,
      version: version.version,
      versionId: version.id,
      ...(label === undefined ? {} : { label })
    }
  })
}

// What a request would become, and what it would change of a preset, before anything is stored.

/** What a request would become, and of which preset. */
export interface PresetPreview extends RequestPreview {
  /** The number that its version would have; null when no preset is named. */
  readonly version: number | null
  /** From the designated version; null when there is no such preset. */
  readonly changes: PresetDiff | null
}

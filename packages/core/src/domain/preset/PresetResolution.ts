/**
 * Resolves a request with a version of a preset.
 */
import { type Resolution, resolve } from "@verbatim/resolution"
import { Result } from "effect"
import type { RequestPreview } from "../request/RequestPreview.ts"
import { InvalidRequest } from "../schema/Problem.ts"
import type { PresetDiff } from "./PresetDiff.ts"
import type { PresetSlug } from "./PresetSlug.ts"
import type { PresetVersion, PresetVersionId } from "./PresetVersion.ts"

/** The version that a reference resolves to at an instant. */
export interface ResolvedVersion {
  readonly slug: PresetSlug
  /** The label in the reference. */
  readonly label?: string
  readonly version: PresetVersion
}

/** The version that a request was resolved with. */
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

/** A request and its format. If no format is given, it is inferred from the request's fields. */
export interface RequestToResolve {
  readonly request: Resolution["request"]
  readonly format?: Resolution["format"] | undefined
}

/** Resolves a request with a pinned version. Fails if variables of the prompt have no values. */
export const resolveRequest = (
  { label, slug, version }: ResolvedVersion,
  { format, request }: RequestToResolve
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

// A preview of a request: what it would store, and how it would change a preset.

/** The preview of a request, including its effect on the preset. */
export interface PresetPreview extends RequestPreview {
  /** The number that the new version would have; null if no preset is named. */
  readonly version: number | null
  /** The differences from the designated version; null if there is no such preset. */
  readonly changes: PresetDiff | null
}

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

/** A request and its format; without one, the format is inferred from its fields. */
export interface RequestToResolve {
  readonly request: Resolution["request"]
  readonly format?: Resolution["format"] | undefined
}

/** Resolves a request with a pinned version. Fails if the prompt's variables have no values. */
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

// A preview of what a request would store, and how it would change a preset.

/** The preview of a request, for its preset. */
export interface PresetPreview extends RequestPreview {
  /** The number that its version would have; null if no preset is named. */
  readonly version: number | null
  /** Compared with the designated version; null if there is no such preset. */
  readonly changes: PresetDiff | null
}

/** Resolves a request with a preset version. */
import { parseReference, type Resolution, resolve } from "@verbatim/resolution"
import { Result } from "effect"
import type { RequestPreview } from "../request/RequestPreview.ts"
import { InvalidRequest } from "../schema/Problem.ts"
import type { PresetDiff } from "./PresetDiff.ts"
import * as PresetSlug from "./PresetSlug.ts"
import type { PresetVersion, PresetVersionId } from "./PresetVersion.ts"

/** The version that a reference resolves to at a given time. */
export interface ResolvedVersion {
  readonly slug: PresetSlug.PresetSlug
  /** The label in the reference, if any. */
  readonly label?: string
  readonly version: PresetVersion
}

/** The preset version with which a request was resolved. */
interface ResolvedPreset {
  readonly slug: PresetSlug.PresetSlug
  readonly version: number
  readonly versionId: PresetVersionId
  readonly label?: string
}

/** A request with everything that its preset adds, in the request's own format. */
export interface PresetResolution extends Omit<Resolution, "unfilled"> {
  readonly preset: ResolvedPreset
}

/** A request and its format. If no format is given, it is inferred from the request's fields. */
export interface RequestToResolve {
  readonly request: Resolution["request"]
  readonly format?: Resolution["format"] | undefined
}

/** Resolves a request with a version. Fails if variables in the prompt have no values. */
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

// A preview shows what a request would store, and how it would change a preset.

/** The preview of a request, including its effect on the preset that it names. */
export interface PresetPreview extends RequestPreview {
  /** The number that the new version would have; null if no preset is named. */
  readonly version: number | null
  /** The differences from the designated version; null if the preset does not exist yet. */
  readonly changes: PresetDiff | null
}

// Hosts refer to a preset by `slug`, to one of its versions by `slug@version`, and to the target of
// a label by `slug@label`.

/**
 * A parsed reference to a preset. Without a version or a label, it means the designated version.
 */
export interface PresetReference {
  readonly slug: PresetSlug.PresetSlug
  readonly version?: number
  readonly label?: string
}

const referenceRule = "a slug, or a slug, @ and a version number or a label"

const both = "takes a version or a label, not both"

const prefixed = "must have nothing before @preset/: a model belongs in the field model"

/** Returns why the text is not a reference. */
const ruleFor = (text: string): string => {
  if (/.@preset\//.test(text)) return prefixed
  return /.@.+@./.test(text) ? both : referenceRule
}

/** Parses a reference. A slug has no `@`, so the reference is unambiguous. */
export const parsePresetReference = (
  text: string
): Result.Result<PresetReference, InvalidRequest> => {
  const reference = parseReference(text)
  if (reference === undefined) {
    return Result.fail(new InvalidRequest({ problems: [{ path: "preset", rule: ruleFor(text) }] }))
  }
  return Result.map(PresetSlug.decode(reference.slug), (slug) => ({ ...reference, slug }))
}

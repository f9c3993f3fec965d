/**
 * A request over a version of a preset, and which version that is.
 */
import { prepare, type Resolution, type Resolve } from "@verbatim/resolution"
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
export interface PresetResolution extends Resolution {
  readonly preset: ResolvedPreset
}

/** A request, and the format it is in; without one, the format is told by its fields. */
export interface ResolvingRequest {
  readonly request: Resolution["request"]
  readonly format?: Resolution["format"] | undefined
}

/** Versions that were made ready, each for as long as somebody holds it. Nobody changes one. */
const ready = new WeakMap<PresetVersion, Resolve>()

const getReady = (version: PresetVersion): Resolve => {
  const known = ready.get(version)
  if (known !== undefined) return known
  const made = prepare(version)
  ready.set(version, made)
  return made
}

/** Lays a request over a pinned version. */
export const layOver = (
  { label, slug, version }: MeantVersion,
  { format, request }: ResolvingRequest
): PresetResolution => ({
  ...getReady(version)(request, format),
  preset: {
    slug,
    version: version.version,
    versionId: version.id,
    ...(label === undefined ? {} : { label })
  }
})

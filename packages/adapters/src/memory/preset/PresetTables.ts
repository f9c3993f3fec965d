/**
 * How the tables of presets in memory change together: a preset is given up with all that is known
 * of it, a version loses its content wherever it is.
 */
import type { Revision } from "@verbatim/core/ports"
import { eraseContent, type Preset, type PresetId, type PresetSlug } from "@verbatim/core/preset"
import type { WorkspaceId } from "@verbatim/core/workspace"
import type { Tables } from "../MemoryDatabase.ts"

/** The key of a slug, or of an idempotency key. */
export const keyOf = (workspaceId: WorkspaceId, text: string): string => `${workspaceId}/${text}`

/** A list grows in place: with a copy for each new version, the 1,000th took 14 µs, not 1.4. */
export const listOf = <A>(lists: Map<PresetId, Array<A>>, id: PresetId): Array<A> => {
  const known = lists.get(id)
  if (known !== undefined) return known
  const list: Array<A> = []
  lists.set(id, list)
  return list
}

/** The preset with a slug. */
export const findPreset = (
  { presets, slugs }: Tables,
  { slug, workspaceId }: { readonly workspaceId: WorkspaceId; readonly slug: PresetSlug }
): Preset | undefined => {
  const id = slugs.get(keyOf(workspaceId, slug))
  return id === undefined ? undefined : presets.get(id)
}

/** Removes a preset with its versions, and all that is known of them. */
export const forgetPreset = (tables: Tables, { id, slug, workspaceId }: Preset): void => {
  const { designations, drafted, labelMoves, presetKeys, presets, slugs, versions } = tables
  for (const version of listOf(versions, id)) drafted.delete(version.id)
  for (const [key, { versionId }] of presetKeys) {
    if (!drafted.has(versionId)) presetKeys.delete(key)
  }
  versions.delete(id)
  designations.delete(id)
  labelMoves.delete(id)
  slugs.delete(keyOf(workspaceId, slug))
  presets.delete(id)
}

/** Takes the content of a version away, and the digest of the request that made it. */
export const eraseVersion = (
  { drafted, presetKeys, versions }: Tables,
  { erasure, next }: Pick<Revision, "erasure" | "next">
): void => {
  if (erasure === undefined) return
  const list = listOf(versions, next.id)
  const version = list[erasure.version - 1]
  if (version === undefined) return
  const erased = eraseContent(version, { at: erasure.at, by: erasure.by })
  list[erasure.version - 1] = erased
  drafted.set(erased.id, erased)
  for (const [key, row] of presetKeys) {
    if (row.versionId === erased.id) presetKeys.set(key, { ...row, fingerprint: "" })
  }
}

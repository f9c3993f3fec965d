import type { Preset, PresetDraft } from "@verbatim/core/preset"
import type { Tables } from "./Fault.ts"

/** The preset that a draft belongs to, in the tables of the memory adapter. */
export const storedOf = (
  { presets, slugs }: Pick<Tables, "presets" | "slugs">,
  { slug, workspaceId }: Pick<PresetDraft, "slug" | "workspaceId">
): Preset | undefined => {
  const id = slugs.get(`${workspaceId}/${slug}`)
  return id === undefined ? undefined : presets.get(id)
}

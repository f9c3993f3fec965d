/**
 * The rows in maps, for as long as the program runs.
 */
import type { Draft, Founding, KeyRow, PresetRow, Rows } from "./Rows.ts"

const firstOf = (draft: Draft): PresetRow => ({
  id: draft.presetId,
  workspace_id: draft.workspaceId,
  slug: draft.slug,
  name: draft.slug,
  description: null,
  creator_user_id: draft.creatorId,
  status: "Active",
  revision: 1,
  latest_version: 1,
  designated_version: 1,
  designated_version_id: draft.versionId,
  status_updated_at: null,
  created_at: draft.at,
  updated_at: draft.at
})

const nextOf = (preset: PresetRow, draft: Draft): PresetRow => ({
  ...preset,
  revision: preset.revision + 1,
  latest_version: preset.latest_version + 1,
  designated_version: preset.latest_version + 1,
  designated_version_id: draft.versionId,
  updated_at: draft.at
})

/** A store in memory. */
export const memoryRows = ({ keyHash, userId, workspaceId }: Founding): Rows => {
  const keys = new Map<string, KeyRow>([
    [keyHash, { workspace_id: workspaceId, user_id: userId, kind: "management" }]
  ])
  const presets = new Map<string, PresetRow>()
  const versions = new Map<string, Array<Draft>>()
  const designations: Array<{ presetId: string; revision: number; at: number }> = []
  return {
    findKey: (hash) => keys.get(hash),
    append: (draft) => {
      const key = `${draft.workspaceId} ${draft.slug}`
      const known = presets.get(key)
      if (known?.status === "Archived") return undefined
      const preset = known === undefined ? firstOf(draft) : nextOf(known, draft)
      presets.set(key, preset)
      const kept = versions.get(preset.id)
      if (kept === undefined) versions.set(preset.id, [draft])
      else kept.push(draft)
      designations.push({ presetId: preset.id, revision: preset.revision, at: draft.at })
      return preset
    }
  }
}

/**
 * What the peer keeps: keys and presets, in whichever store.
 */

/** A row of `api_keys` that is not revoked. */
export interface KeyRow {
  readonly workspace_id: string
  readonly user_id: string
  readonly kind: string
}

/** What a request adds. */
export interface Draft {
  readonly presetId: string
  readonly versionId: string
  readonly workspaceId: string
  readonly slug: string
  readonly creatorId: string
  readonly systemPrompt: string | null
  readonly config: Readonly<Record<string, unknown>>
  readonly at: number
}

/** A row of `presets`. */
export interface PresetRow {
  readonly id: string
  readonly workspace_id: string
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly creator_user_id: string
  readonly status: string
  readonly revision: number
  readonly latest_version: number
  readonly designated_version: number
  readonly designated_version_id: string
  readonly status_updated_at: number | null
  readonly created_at: number
  readonly updated_at: number
}

/** The store of the peer. */
export interface Rows {
  /** The key with that hash, unless it is revoked. */
  readonly findKey: (hash: string) => KeyRow | undefined
  /** Adds a version, and the preset where there is none, in one transaction; none if archived. */
  readonly append: (draft: Draft) => PresetRow | undefined
}

/** The first key and its owner. */
export interface Founding {
  readonly workspaceId: string
  readonly userId: string
  readonly keyHash: string
}

/**
 * The rows in a SQLite file: the same tables, the same statements and the same durability as the
 * store that they are measured against.
 */
import { DatabaseSync } from "node:sqlite"
import type { Founding, KeyRow, PresetRow, Rows } from "./Rows.ts"

const settings = [
  "PRAGMA journal_mode = WAL",
  "PRAGMA synchronous = FULL",
  "PRAGMA fullfsync = ON",
  "PRAGMA foreign_keys = ON"
]

const tables = [
  `CREATE TABLE workspaces (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE api_keys (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    revoked_at INTEGER
  ) STRICT`,
  `CREATE TABLE presets (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id),
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    creator_user_id TEXT NOT NULL,
    status TEXT NOT NULL,
    revision INTEGER NOT NULL,
    latest_version INTEGER NOT NULL,
    designated_version INTEGER NOT NULL,
    designated_version_id TEXT NOT NULL,
    status_updated_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (workspace_id, slug)
  ) STRICT`,
  `CREATE TABLE preset_versions (
    id TEXT NOT NULL PRIMARY KEY,
    preset_id TEXT NOT NULL REFERENCES presets (id),
    version INTEGER NOT NULL,
    creator_id TEXT NOT NULL,
    system_prompt TEXT,
    config TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (preset_id, version)
  ) STRICT`
]

const advance = `
  INSERT INTO presets VALUES (
    :presetId, :workspaceId, :slug, :slug, NULL, :creatorId, 'Active', 1, 1, 1, :versionId, NULL,
    :at, :at
  )
  ON CONFLICT (workspace_id, slug) DO UPDATE SET
    revision = presets.revision + 1,
    latest_version = presets.latest_version + 1,
    designated_version = presets.latest_version + 1,
    designated_version_id = excluded.designated_version_id,
    updated_at = excluded.updated_at
  WHERE presets.status <> 'Archived'
  RETURNING *`

const insertVersion = "INSERT INTO preset_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

const findKey = `SELECT workspace_id, user_id, kind FROM api_keys
  WHERE hash = ? AND revoked_at IS NULL`

const create = (filename: string, { keyHash, userId, workspaceId }: Founding): DatabaseSync => {
  const database = new DatabaseSync(filename)
  for (const statement of [...settings, ...tables]) database.exec(statement)
  database.prepare("INSERT INTO workspaces VALUES (?, 'default')").run(workspaceId)
  database
    .prepare("INSERT INTO api_keys VALUES (?, ?, ?, 'management', ?, NULL)")
    .run(crypto.randomUUID(), workspaceId, userId, keyHash)
  return database
}

/** A store in a new file. */
export const sqliteRows = (filename: string, founding: Founding): Rows => {
  const database = create(filename, founding)
  const [begin, commit, rollback] = ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"].map((control) =>
    database.prepare(control)
  )
  const [advancing, inserting, finding] = [advance, insertVersion, findKey].map((sql) =>
    database.prepare(sql)
  )
  return {
    findKey: (hash) => finding?.get(hash) as KeyRow | undefined,
    append: (draft) => {
      begin?.run()
      try {
        const { at, config, creatorId, presetId, slug, versionId, workspaceId } = draft
        const preset = advancing?.get({ at, creatorId, presetId, slug, versionId, workspaceId }) as
          | PresetRow
          | undefined
        if (preset !== undefined) {
          inserting?.run(
            versionId,
            preset.id,
            preset.latest_version,
            creatorId,
            draft.systemPrompt,
            JSON.stringify(config),
            at,
            at
          )
        }
        commit?.run()
        return preset
      } catch (cause) {
        rollback?.run()
        throw cause
      }
    }
  }
}

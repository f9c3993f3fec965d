/**
 * The rows in a SQLite file: the same tables, the same statements and the same durability as the
 * store that they are measured against.
 */
import { DatabaseSync } from "node:sqlite"
import type { Draft, Founding, KeyRow, PresetRow, Rows } from "./Rows.ts"

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
  ) STRICT`,
  "CREATE INDEX presets_by_update ON presets (workspace_id, updated_at, id)",
  `CREATE TABLE preset_designations (
    preset_id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (preset_id, revision),
    FOREIGN KEY (preset_id, version) REFERENCES preset_versions (preset_id, version)
  ) STRICT, WITHOUT ROWID`
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

const insertDesignation = "INSERT INTO preset_designations VALUES (?, ?, ?, ?, ?)"

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

const prepare = (database: DatabaseSync) => ({
  begin: database.prepare("BEGIN IMMEDIATE"),
  commit: database.prepare("COMMIT"),
  rollback: database.prepare("ROLLBACK"),
  findKey: database.prepare(findKey),
  advance: database.prepare(advance),
  insertVersion: database.prepare(insertVersion),
  insertDesignation: database.prepare(insertDesignation)
})

const write = (
  { advance, insertDesignation, insertVersion }: ReturnType<typeof prepare>,
  { at, config, creatorId, presetId, slug, systemPrompt, versionId, workspaceId }: Draft
): PresetRow | undefined => {
  const named = { at, creatorId, presetId, slug, versionId, workspaceId }
  const preset = advance.get(named) as PresetRow | undefined
  if (preset === undefined) return undefined
  const { id, latest_version: version, revision } = preset
  const json = JSON.stringify(config)
  insertVersion.run(versionId, id, version, creatorId, systemPrompt, json, at, at)
  insertDesignation.run(id, revision, version, creatorId, at)
  return preset
}

/** A store in a new file. */
export const sqliteRows = (filename: string, founding: Founding): Rows => {
  const prepared = prepare(create(filename, founding))
  return {
    findKey: (hash) => prepared.findKey.get(hash) as KeyRow | undefined,
    append: (draft) => {
      prepared.begin.run()
      try {
        const preset = write(prepared, draft)
        prepared.commit.run()
        return preset
      } catch (cause) {
        prepared.rollback.run()
        throw cause
      }
    }
  }
}

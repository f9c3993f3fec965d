/**
 * Reads rows from the server's database for the peer. The statements are prepared with
 * `node:sqlite`, which returns rows synchronously, or with `pg` over a pool.
 */
import { DatabaseSync } from "node:sqlite"
import { Pool } from "pg"

/** A row as its driver returns it. */
export type Row = Readonly<Record<string, unknown>>

/** A value or a promise of it. */
export type Soon<A> = A | Promise<A>

/** Passes a value to a function, synchronously unless the value is a promise. */
export const use = <A, B>(value: Soon<A>, go: (value: A) => B): Soon<B> =>
  value instanceof Promise ? value.then(go) : go(value)

/** A request's two queries. */
export interface PeerRows {
  /** Finds a key's workspace by the key's hash, unless the key was revoked. */
  readonly findKey: (hash: string) => Soon<Row | undefined>
  /** Finds a preset by slug with its designated version. */
  readonly findPreset: (workspaceId: string, slug: string) => Soon<Row | undefined>
  readonly close: () => Soon<void>
}

const keyText = `SELECT key.workspace_id, expires_at, scopes,
    key.requests_per_second AS key_rate, workspace.requests_per_second AS rate, workspace.status
  FROM verbatim_api_keys AS key
  JOIN verbatim_workspaces AS workspace ON workspace.id = key.workspace_id
  WHERE hash = $1 AND revoked_at IS NULL`

const presetText = `SELECT preset.status, version.id, version.version, version.system_prompt,
    version.config, version.erased
  FROM verbatim_presets AS preset
  JOIN verbatim_preset_versions AS version ON version.id = preset.designated_version_id
  WHERE preset.workspace_id = $1 AND preset.slug = $2`

const openSqlite = (filename: string): PeerRows => {
  const database = new DatabaseSync(filename, { readOnly: true })
  const key = database.prepare(keyText.replace("$1", "?"))
  const preset = database.prepare(presetText.replace("$1", "?").replace("$2", "?"))
  return {
    findKey: (hash) => key.get(hash),
    findPreset: (workspaceId, slug) => preset.get(workspaceId, slug),
    close: () => database.close()
  }
}

/** The number of sessions, which is the default in a `pg` pool and in our server. */
const sessionMax = 10

const openPostgres = (connectionString: string): PeerRows => {
  const pool = new Pool({ connectionString, max: sessionMax })
  const find = async (name: string, text: string, values: ReadonlyArray<string>) =>
    (await pool.query<Row>({ name, text, values: [...values] })).rows[0]
  return {
    findKey: (hash) => find("key", keyText, [hash]),
    findPreset: (workspaceId, slug) => find("preset", presetText, [workspaceId, slug]),
    close: () => pool.end()
  }
}

const scheme = "sqlite:"

/** Opens the database that a URL names, as the server does. */
export const openRows = (url: string): PeerRows =>
  url.startsWith(scheme) ? openSqlite(url.slice(scheme.length)) : openPostgres(url)

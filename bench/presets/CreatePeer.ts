/**
 * A preset server as a programmer would write it by hand. Fastify with Ajv validates the same JSON
 * Schema as our server. `node:sqlite` looks up the key by its hash, and writes as durably as our
 * server.
 */
import { hash, randomUUID } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { ResponsesRequest } from "@verbatim/core/request"
import { Schema } from "effect"
import { fastify } from "fastify"

const { PEER_FILENAME: filename = "", PEER_KEY: key = "" } = process.env

const database = new DatabaseSync(filename)
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  CREATE TABLE api_keys (hash TEXT PRIMARY KEY, workspace_id TEXT, user_id TEXT) STRICT;
  CREATE TABLE presets (id TEXT PRIMARY KEY, workspace_id TEXT, slug TEXT, creator_user_id TEXT,
    latest_version INTEGER, designated_version_id TEXT, created_at INTEGER, updated_at INTEGER,
    UNIQUE (workspace_id, slug)) STRICT;
  CREATE TABLE preset_versions (id TEXT PRIMARY KEY, preset_id TEXT REFERENCES presets (id),
    version INTEGER, creator_id TEXT, system_prompt TEXT, config TEXT, created_at INTEGER,
    UNIQUE (preset_id, version)) STRICT;`)
database
  .prepare("INSERT INTO api_keys VALUES (?, ?, ?)")
  .run(hash("sha256", key), randomUUID(), `user_${randomUUID()}`)

const findKey = database.prepare("SELECT workspace_id, user_id FROM api_keys WHERE hash = ?")
const begin = database.prepare("BEGIN IMMEDIATE")
const commit = database.prepare("COMMIT")
const advance = database.prepare(`INSERT INTO presets VALUES (?, ?, ?, ?, 1, ?, ?, ?)
  ON CONFLICT (workspace_id, slug) DO UPDATE SET latest_version = presets.latest_version + 1,
    designated_version_id = excluded.designated_version_id, updated_at = excluded.updated_at
  RETURNING *`)
const insertVersion = database.prepare("INSERT INTO preset_versions VALUES (?, ?, ?, ?, ?, ?, ?)")

type Row = Readonly<Record<string, string | number>>

const append = (draft: {
  readonly caller: Row
  readonly slug: string
  readonly prompt: string
  readonly config: object
}) => {
  const { workspace_id: workspace = "", user_id: user = "" } = draft.caller
  const [at, versionId] = [Date.now(), randomUUID()]
  begin.run()
  const values = [randomUUID(), workspace, draft.slug, user, versionId, at, at]
  const { id = "", latest_version: version = 0, ...preset } = advance.get(...values) as Row
  const config = JSON.stringify(draft.config)
  insertVersion.run(versionId, id, version, user, draft.prompt, config, at)
  commit.run()
  const written = { id: versionId, version, creator_id: user, system_prompt: draft.prompt }
  return { id, ...preset, designated_version: { ...written, config: draft.config, created_at: at } }
}

const document = Schema.toJsonSchemaDocument(ResponsesRequest)
const body = { ...document.schema, $defs: document.definitions }

const app = fastify({
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, strict: false } }
})

app.post<{ Params: { readonly slug: string }; Body: Readonly<Record<string, unknown>> }>(
  "/v1/presets/:slug/responses",
  { schema: { body } },
  (request, reply) => {
    const token = /^bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? ""
    const caller = findKey.get(hash("sha256", token)) as Row | undefined
    if (caller === undefined) return reply.code(401).send({ error: "Invalid API key" })
    const { input: _, instructions, metadata, stream, user, ...config } = request.body
    const { slug } = request.params
    return reply.send({ data: append({ caller, slug, prompt: String(instructions), config }) })
  }
)

process.once("SIGTERM", () => app.close())
const address = await app.listen({ host: "127.0.0.1", port: 0 })
console.log(`The peer listens on ${address}`)

/**
 * A resolver as a programmer would write it by hand, with Fastify and `node:sqlite` or `pg`, over
 * the rows that the server wrote. The peer checks the key and the body as the server does, reads
 * the preset with its designated version in one statement, merges the request over the preset, and
 * reports the origin of each part.
 */
import { hash } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { ExactNumber, findBrokenLimit } from "@verbatim/core/schema"
import { type FastifyError, type FastifyRequest, fastify } from "fastify"
import { Pool } from "pg"

/** A row as the database driver returns it. */
type Row = Readonly<Record<string, unknown>>

/** The two queries that a request needs. */
interface PeerRows {
  /** Finds a key's workspace by its hash, unless the key was revoked. */
  readonly findKey: (hash: string) => Promise<Row | undefined>
  /** Finds a preset by slug with its designated version. */
  readonly findPreset: (workspaceId: string, slug: string) => Promise<Row | undefined>
  readonly close: () => Promise<void>
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
    findKey: async (hash) => key.get(hash),
    findPreset: async (workspaceId, slug) => preset.get(workspaceId, slug),
    close: async () => database.close()
  }
}

/** Number of sessions, the default for a `pg` pool and for our server. */
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

/** Opens the database at a URL with the server's settings. */
const openRows = (url: string): PeerRows =>
  url.startsWith(scheme) ? openSqlite(url.slice(scheme.length)) : openPostgres(url)

const refuse = (statusCode: number, message: string): never => {
  throw Object.assign(new Error(message), { statusCode })
}

const { PEER_DATABASE: url = "" } = process.env

const rows = openRows(url)

const bearer = /^bearer +(.+)$/i

/** Checks a request's key, and returns the key's workspace. */
const findWorkspace = async ({ headers: { authorization = "" } }: FastifyRequest) => {
  const token = bearer.exec(authorization)?.[1] ?? refuse(401, "Missing Authentication header")
  const key = await rows.findKey(hash("sha256", token))
  const isExpired = key?.expires_at != null && Number(key.expires_at) <= Date.now()
  if (key === undefined || isExpired) return refuse(401, "Invalid API key")
  if (key.status !== "Active") refuse(403, "The workspace is disabled")
  if (key.scopes !== null || key.key_rate !== null || key.rate !== null) {
    throw new Error("keys with scopes and limits are not measured")
  }
  return String(key.workspace_id)
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Parses UTF-8 JSON within the API's limits, and keeps the digits of numbers. */
const parse = async (_: FastifyRequest, body: Buffer): Promise<unknown> => {
  const text = utf8.decode(body)
  const rule = text.startsWith("\uFEFF") ? "must not begin with a mark" : findBrokenLimit(text)
  if (rule !== undefined) refuse(400, `Invalid request parameters: ${rule}`)
  const value = ExactNumber.parse(text)
  if (value._tag === "None") return refuse(400, "Invalid request parameters: must be JSON")
  return value.value
}

type Json = ReturnType<typeof JSON.parse>

const nameOf = (tool: Json): string =>
  tool.type === "function" ? `function ${tool.name}` : `${tool.type} ${tool.server_label ?? ""}`

/** Lists the preset's tools and then the request's, which replace those with the same name. */
const unite = (kept: ReadonlyArray<Json>, asked: ReadonlyArray<Json>) => {
  const from = (origin: string) => (tool: Json) => [nameOf(tool), { tool, origin }] as const
  return [...new Map([...kept.map(from("preset")), ...asked.map(from("request"))]).values()]
}

/** Builds the response, with the request merged over the preset's row. */
const layOver = (
  slug: string,
  { asked, row }: { readonly asked: Readonly<Record<string, Json>>; readonly row: Json }
) => {
  if (row === undefined) return refuse(404, "Preset not found")
  if (row.status !== "Active") return refuse(409, `Preset is ${row.status.toLowerCase()}`)
  if (row.erased !== null) return refuse(409, "The version has lost its content")
  const kept = JSON.parse(row.config)
  const prompt = row.system_prompt === null ? {} : { instructions: row.system_prompt }
  const fields: Record<string, string> = {}
  for (const name of Object.keys({ ...prompt, ...kept })) fields[name] = "preset"
  for (const name of Object.keys(asked)) fields[name] = "request"
  const tools = unite(kept.tools ?? [], asked.tools ?? [])
  const united = tools.length > 0 ? { tools: tools.map(({ tool }) => tool) } : {}
  const ofPreset = row.system_prompt === null ? null : "preset"
  return {
    data: {
      request: { ...prompt, ...kept, ...asked, ...united },
      format: "responses",
      preset: { slug, version: Number(row.version), version_id: row.id },
      provenance: {
        fields,
        tools: tools.map(({ origin }) => origin),
        system_prompt: "instructions" in asked ? "request" : ofPreset
      },
      left_out: []
    }
  }
}

const app = fastify({ bodyLimit: 2_097_152, routerOptions: { maxParamLength: 65_536 } })

app.removeAllContentTypeParsers()
app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, parse)

app.setErrorHandler(({ message, statusCode = 500 }: FastifyError, _, reply) =>
  reply.code(statusCode).send({
    error: { code: statusCode, message },
    gateway_metadata: null,
    user_id: null
  })
)

const workspaces = new WeakMap<object, string>()

app.post<{ Params: { readonly slug: string }; Body: Record<string, Json> }>(
  "/v1/presets/:slug/resolve",
  {
    schema: { body: { type: "object", additionalProperties: true } },
    // The key is checked before the body is read.
    onRequest: async (request) => {
      workspaces.set(request, await findWorkspace(request))
    }
  },
  async (request) => {
    const { slug } = request.params
    const row = await rows.findPreset(workspaces.get(request) ?? "", slug)
    return layOver(slug, { row, asked: request.body })
  }
)

process.once("SIGTERM", async () => {
  await app.close()
  await rows.close()
})
const address = await app.listen({ host: "127.0.0.1", port: 0 })
console.log(`The peer listens on ${address}`)

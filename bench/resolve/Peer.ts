/**
 * A resolver as a programmer would write it by hand, with Fastify and `node:sqlite`, over the rows
 * that the server wrote. The peer checks the key and the body as the server does, reads
 * the preset with its designated version in one statement, merges the request over the preset, and
 * reports the origin of each part.
 */
import { hash } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { ExactNumber, findBrokenLimit } from "@verbatim/core/schema"
import { type FastifyInstance, type FastifyRequest, fastify } from "fastify"

/** A row as the database driver returns it. */
type Row = Readonly<Record<string, unknown>>

const { PEER_FILENAME: filename = "" } = process.env

const database = new DatabaseSync(filename, { readOnly: true })

/** Finds a key's workspace by its hash, unless the key was revoked. */
const findKey = database.prepare(`SELECT key.workspace_id, expires_at, scopes,
    key.requests_per_second AS key_rate, workspace.requests_per_second AS rate, workspace.status
  FROM verbatim_api_keys AS key
  JOIN verbatim_workspaces AS workspace ON workspace.id = key.workspace_id
  WHERE hash = ? AND revoked_at IS NULL`)

/** Finds a preset by slug with its designated version. */
const findPreset = database.prepare(`SELECT preset.status, version.id, version.version,
    version.system_prompt, version.config, version.erased
  FROM verbatim_presets AS preset
  JOIN verbatim_preset_versions AS version ON version.id = preset.designated_version_id
  WHERE preset.workspace_id = ? AND preset.slug = ?`)

/** An error response in the API's format. */
class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const bearer = /^bearer +(.+)$/i

const judgeKey = (key: Row | undefined): string => {
  const isOver = key?.expires_at != null && Number(key.expires_at) <= Date.now()
  if (key === undefined || isOver) throw new Refused(401, "Invalid API key")
  if (key.status !== "Active") throw new Refused(403, "The workspace is disabled")
  if (key.scopes !== null || key.key_rate !== null || key.rate !== null) {
    throw new Error("keys with scopes and limits are not measured")
  }
  return String(key.workspace_id)
}

/** Checks a request's key and returns the key's workspace. */
const workspaceOf = ({ headers: { authorization = "" } }: FastifyRequest): string => {
  const token = bearer.exec(authorization)?.[1]
  if (token === undefined) throw new Refused(401, "Missing Authentication header")
  return judgeKey(findKey.get(hash("sha256", token)))
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const parse = (body: Buffer): unknown => {
  const text = utf8.decode(body)
  const rule = text.startsWith("\uFEFF") ? "must not begin with a mark" : findBrokenLimit(text)
  if (rule !== undefined) throw new Refused(400, `Invalid request parameters: ${rule}`)
  const value = ExactNumber.parse(text)
  if (value._tag === "None") throw new Refused(400, "Invalid request parameters: must be JSON")
  return value.value
}

/** Parses UTF-8 JSON within the API's limits, and keeps the digits of numbers. */
const takeJson = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (_, body, done) => {
    try {
      done(null, parse(body))
    } catch (cause) {
      done(cause instanceof Refused ? cause : new Refused(400, "must be UTF-8"))
    }
  })
}

type Json = ReturnType<typeof JSON.parse>

const nameOf = (tool: Json): string =>
  tool.type === "function" ? `function ${tool.name}` : `${tool.type} ${tool.server_label ?? ""}`

const unite = (kept: ReadonlyArray<Json>, asked: ReadonlyArray<Json>) => {
  const names = new Map(asked.map((tool) => [nameOf(tool), tool]))
  const tools: Array<Json> = []
  const from: Array<string> = []
  for (const tool of kept) {
    const replacing = names.get(nameOf(tool))
    tools.push(replacing ?? tool)
    from.push(replacing === undefined ? "preset" : "request")
    names.delete(nameOf(tool))
  }
  for (const tool of names.values()) {
    tools.push(tool)
    from.push("request")
  }
  return { tools, from }
}

/** Builds the response, with the request merged over the preset's row. */
const layOver = (
  slug: string,
  { asked, row }: { readonly asked: Readonly<Record<string, Json>>; readonly row: Json }
) => {
  if (row === undefined) throw new Refused(404, "Preset not found")
  if (row.status !== "Active") throw new Refused(409, `Preset is ${row.status.toLowerCase()}`)
  if (row.erased !== null) throw new Refused(409, "The version has lost its content")
  const kept = JSON.parse(row.config)
  const prompt = row.system_prompt === null ? {} : { instructions: row.system_prompt }
  const fields: Record<string, string> = {}
  for (const name of Object.keys({ ...prompt, ...kept })) fields[name] = "preset"
  for (const name of Object.keys(asked)) fields[name] = "request"
  const { from, tools } = unite(kept.tools ?? [], asked.tools ?? [])
  const united = tools.length > 0 ? { tools } : {}
  const ofPreset = row.system_prompt === null ? null : "preset"
  return {
    data: {
      request: { ...prompt, ...kept, ...asked, ...united },
      format: "responses",
      preset: { slug, version: Number(row.version), version_id: row.id },
      provenance: {
        fields,
        tools: from,
        system_prompt: "instructions" in asked ? "request" : ofPreset
      },
      left_out: []
    }
  }
}

const app = fastify({ bodyLimit: 2_097_152, routerOptions: { maxParamLength: 65_536 } })

takeJson(app)

const errorOf = (code: number, message: string) => ({
  error: { code, message },
  gateway_metadata: null,
  user_id: null
})

app.setErrorHandler((error, _, reply) => {
  const status = error instanceof Refused ? error.status : 500
  return reply.code(status).send(errorOf(status, status === 500 ? "failed" : String(error)))
})

const body = { type: "object", additionalProperties: true } as const

const workspaces = new WeakMap<object, string>()

app.post<{ Params: { readonly slug: string }; Body: Record<string, Json> }>(
  "/v1/presets/:slug/resolve",
  {
    schema: { body },
    // The key is checked before the body is read.
    onRequest: (request, _, next) => {
      workspaces.set(request, workspaceOf(request))
      next()
    }
  },
  (request, reply) => {
    const { slug } = request.params
    const row = findPreset.get(workspaces.get(request) ?? "", slug)
    return reply.send(layOver(slug, { row, asked: request.body }))
  }
)

process.once("SIGTERM", () => app.close())
const address = await app.listen({ host: "127.0.0.1", port: 0 })
console.log(`The peer listens on ${address}`)

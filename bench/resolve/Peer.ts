/**
 * Resolution as one would write it by hand: Fastify and `node:sqlite` over the very file that the
 * server wrote. It looks up the key by its hash, reads the preset with its designated version in
 * one statement, lays the request over it, and says where each part came from.
 */
import { createHash } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { fastify } from "fastify"

const { PEER_FILENAME: filename = "" } = process.env

const database = new DatabaseSync(filename, { readOnly: true })

const findKey = database.prepare(`SELECT workspace_id, expires_at FROM api_keys
  WHERE hash = ? AND revoked_at IS NULL`)

const findPreset = database.prepare(`
  SELECT presets.status, version.id, version.version, version.system_prompt, version.config
  FROM presets JOIN preset_versions AS version ON version.id = presets.designated_version_id
  WHERE presets.workspace_id = ? AND presets.slug = ?`)

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

const app = fastify({ bodyLimit: 2_097_152 })

const body = { type: "object", additionalProperties: true } as const

app.post<{ Params: { readonly slug: string }; Body: Record<string, Json> }>(
  "/v1/presets/:slug/resolve",
  { schema: { body } },
  (request, reply) => {
    const token = /^bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? ""
    const caller = findKey.get(createHash("sha256").update(token).digest("hex"))
    if (caller === undefined) return reply.code(401).send({ error: { code: 401 } })
    const { slug } = request.params
    const row: Json = findPreset.get(caller.workspace_id as string, slug)
    if (row?.status !== "Active") return reply.code(404).send({ error: { code: 404 } })
    const kept = JSON.parse(row.config)
    const prompt = row.system_prompt === null ? {} : { instructions: row.system_prompt }
    const fields: Record<string, string> = {}
    for (const name of Object.keys({ ...prompt, ...kept })) fields[name] = "preset"
    for (const name of Object.keys(request.body)) fields[name] = "request"
    const { from, tools } = unite(kept.tools ?? [], request.body.tools ?? [])
    const united = tools.length > 0 ? { tools } : {}
    return reply.send({
      data: {
        request: { ...prompt, ...kept, ...request.body, ...united },
        format: "responses",
        preset: { slug, version: row.version, version_id: row.id },
        provenance: {
          fields,
          tools: from,
          system_prompt:
            "instructions" in request.body
              ? "request"
              : row.system_prompt === null
                ? null
                : "preset"
        },
        left_out: []
      }
    })
  }
)

process.once("SIGTERM", () => app.close())
const address = await app.listen({ host: "127.0.0.1", port: 0 })
console.log(`The peer listens on ${address}`)

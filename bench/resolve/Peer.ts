/**
 * Resolution as one would write it by hand: Fastify and `node:sqlite` over the very file that the
 * server wrote. It judges the key and the body as the server does, reads the preset with its
 * designated version in one statement, lays the request over it, and says where each part came
 * from. With `PEER_DUTIES=all` it has ids, lines and counts of requests as well.
 */
import { DatabaseSync } from "node:sqlite"
import { fastify } from "fastify"
import { makeKeyCheck, Refused, takeJson, tellOperator } from "./PeerChecks.ts"

const { PEER_DUTIES: duties = "answers", PEER_FILENAME: filename = "" } = process.env

const database = new DatabaseSync(filename, { readOnly: true })

const workspaceOf = makeKeyCheck(database)

const findPreset = database.prepare(`
  SELECT presets.status, version.id, version.version, version.system_prompt, version.config,
    version.erased
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

const app = fastify({ bodyLimit: 2_097_152, routerOptions: { maxParamLength: 65_536 } })

takeJson(app)
if (duties === "all") tellOperator(app)

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
    // Before the body is read.
    onRequest: (request, _, next) => {
      workspaces.set(request, workspaceOf(request))
      next()
    }
  },
  (request, reply) => {
    const { slug } = request.params
    const row: Json = findPreset.get(workspaces.get(request) ?? "", slug)
    if (row === undefined) throw new Refused(404, "Preset not found")
    if (row.status !== "Active") throw new Refused(409, `Preset is ${row.status.toLowerCase()}`)
    if (row.erased !== null) throw new Refused(409, "The version has lost its content")
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

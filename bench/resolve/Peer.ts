/**
 * Resolution as a programmer would write it by hand, with Fastify over the rows that the server
 * wrote, and `node:sqlite` or `pg`. The peer checks the key and the body as the server does, reads
 * the preset with its designated version in one statement, merges the request over the preset, and
 * reports the origin of each part.
 */
import { fastify } from "fastify"
import { makeKeyCheck, Refused, takeJson } from "./PeerChecks.ts"
import { openRows, use } from "./PeerRows.ts"

const { PEER_DATABASE: url = "" } = process.env

const rows = openRows(url)

const workspaceOf = makeKeyCheck(rows)

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

/** The response to a request that is merged over a preset's row. */
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
      const admitted = use(workspaceOf(request), (workspace) => {
        workspaces.set(request, workspace)
        next()
      })
      if (admitted instanceof Promise) admitted.catch(next)
    }
  },
  (request, reply) => {
    const { slug } = request.params
    return use(rows.findPreset(workspaces.get(request) ?? "", slug), (row) =>
      reply.send(layOver(slug, { row, asked: request.body }))
    )
  }
)

process.once("SIGTERM", async () => {
  await app.close()
  await rows.close()
})
const address = await app.listen({ host: "127.0.0.1", port: 0 })
console.log(`The peer listens on ${address}`)

/**
 * The tools of a preset and those of a request: the request's in place of those they replace.
 */
import type { Format } from "./Format.ts"
import type { Lost } from "./Idea.ts"
import { isObject, type Json, own } from "./Json.ts"
import { identityOf } from "./Tools.ts"

/** A tool of a preset, and what it is the same as. */
export interface KeptTool {
  readonly tool: Json
  readonly identity: string
}

/** The tools of a list; of anything else there are none. */
export const keptTools = (value: Json | undefined): ReadonlyArray<KeptTool> =>
  Array.isArray(value) ? value.map((tool) => ({ tool, identity: identityOf(tool) })) : []

type Side = "preset" | "request"

/** Tools with the side that each comes from, place by place. */
export interface United {
  readonly tools: ReadonlyArray<Json>
  readonly sides: ReadonlyArray<Side>
}

/**
 * An MCP server of the request, laid over the preset's of that name: a preset never keeps its
 * token, and the request need not repeat the rest.
 */
const layOver = (kept: Json, asked: Json): Json =>
  isObject(kept) && isObject(asked) && own(asked, "type") === "mcp" ? { ...kept, ...asked } : asked

/**
 * The tools of both: the preset's, with those of the request in place of the first one they
 * replace, then the rest of the request's. Tools of one side are never merged with each other: two
 * servers of one type are two tools.
 */
const unite = (kept: ReadonlyArray<KeptTool>, request: ReadonlyArray<Json>): United => {
  const asked = new Map<string, Array<Json>>()
  for (const tool of request) {
    const identity = identityOf(tool)
    const same = asked.get(identity)
    // In place: a request may bring tens of thousands that are the same.
    if (same === undefined) asked.set(identity, [tool])
    else same.push(tool)
  }
  const tools: Array<Json> = []
  const sides: Array<Side> = []
  const take = (tool: Json, side: Side) => {
    tools.push(tool)
    sides.push(side)
  }
  const known = new Set<string>()
  for (const { identity, tool } of kept) {
    const replacing = asked.get(identity)
    if (replacing === undefined) take(tool, "preset")
    else if (!known.has(identity)) {
      for (const each of replacing) take(layOver(tool, each), "request")
    }
    known.add(identity)
  }
  for (const tool of request) if (!known.has(identityOf(tool))) take(tool, "request")
  return { tools, sides }
}

/** The name under which an endpoint of messages knows a tool, of whatever kind. */
const nameOf = (tool: Json): Json | undefined => (isObject(tool) ? own(tool, "name") : undefined)

/** The tools of a preset whose names the request gives to tools of other kinds. */
const clashing = (
  kept: ReadonlyArray<KeptTool>,
  { format, request }: { readonly format: Format; readonly request: ReadonlyArray<Json> }
): ReadonlySet<KeptTool> => {
  if (format !== "messages" || request.length === 0) return new Set()
  const taken = new Map(request.map((tool) => [nameOf(tool), identityOf(tool)]))
  taken.delete(undefined)
  return new Set(
    kept.filter(({ identity, tool }) => {
      const other = taken.get(nameOf(tool))
      return other !== undefined && other !== identity
    })
  )
}

/** The MCP servers of a messages request, laid over the preset's by their names. */
export const uniteServers = (kept: Json | undefined, asked: Json): Json => {
  if (!Array.isArray(kept) || !Array.isArray(asked)) return asked
  const servers: ReadonlyArray<Json> = kept
  const request: ReadonlyArray<Json> = asked
  const byName = new Map(request.map((server) => [nameOf(server), server]))
  const names = new Set(servers.map(nameOf))
  const laid = servers.map((server) => {
    const sent = byName.get(nameOf(server))
    return isObject(server) && isObject(sent) ? { ...server, ...sent } : server
  })
  return [...laid, ...request.filter((server) => !names.has(nameOf(server)))]
}

/** The tools of both, and those of the preset that cannot stand beside them. */
export const uniteTools = (
  kept: ReadonlyArray<KeptTool>,
  { asked, format }: { readonly asked: Json; readonly format: Format }
): United & { readonly clashes: ReadonlyArray<Lost> } => {
  // A null, or anything that is not a list, is the request's own word on tools.
  if (!Array.isArray(asked)) return { tools: [], sides: [], clashes: [] }
  const request: ReadonlyArray<Json> = asked
  const clashes = clashing(kept, { format, request })
  const left = clashes.size === 0 ? kept : kept.filter((each) => !clashes.has(each))
  return {
    ...unite(left, request),
    clashes: [...clashes].map(({ tool }) => ({
      field: "tools",
      reason: `the request has another tool called ${JSON.stringify(nameOf(tool))}`
    }))
  }
}

/** Merges a preset's tools with a request's tools, which take precedence. */

import type { Lost } from "./FieldMapping.ts"
import type { Format } from "./Format.ts"
import { isObject, type Json, own } from "./Json.ts"
import { identityOf } from "./Tools.ts"

/** A tool of the preset. Tools with equal identities replace each other. */
export interface KeptTool {
  readonly tool: Json
  readonly identity: string
}

/** Returns the tools in a list, with their identities; an empty list for any other value. */
export const keptTools = (value: Json | undefined): ReadonlyArray<KeptTool> =>
  Array.isArray(value) ? value.map((tool) => ({ tool, identity: identityOf(tool) })) : []

type Side = "preset" | "request"

/** The merged tools, and for each tool whether it comes from the preset or the request. */
export interface MergedTools {
  readonly tools: ReadonlyArray<Json>
  readonly sides: ReadonlyArray<Side>
}

/**
 * Merges the request's MCP server into the preset's. Presets never store tokens, so requests add
 * them without repeating the other properties.
 */
const mergeServer = (kept: Json, requested: Json): Json =>
  isObject(kept) && isObject(requested) && own(requested, "type") === "mcp"
    ? { ...kept, ...requested }
    : requested

/**
 * Merges both lists: the preset's tools, each replaced by the request's tools with the same
 * identity, then the request's other tools. Tools from the same side are never merged with each
 * other, so two servers of one type stay two tools.
 */
const mergeLists = (kept: ReadonlyArray<KeptTool>, request: ReadonlyArray<Json>): MergedTools => {
  const byIdentity = new Map<string, Array<Json>>()
  for (const tool of request) {
    const identity = identityOf(tool)
    const same = byIdentity.get(identity)
    // The array is mutated, because copying it for each of tens of thousands of equal tools would
    // be slow.
    if (same === undefined) byIdentity.set(identity, [tool])
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
    const replacing = byIdentity.get(identity)
    if (replacing === undefined) take(tool, "preset")
    else if (!known.has(identity)) {
      for (const each of replacing) take(mergeServer(tool, each), "request")
    }
    known.add(identity)
  }
  for (const tool of request) if (!known.has(identityOf(tool))) take(tool, "request")
  return { tools, sides }
}

/** Reads a tool's name at a messages endpoint, where tools of every kind have one. */
const nameOf = (tool: Json): Json | undefined => (isObject(tool) ? own(tool, "name") : undefined)

/** Finds preset tools that have the same name as a tool of another kind in the request. */
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

/** Merges the MCP servers of a messages request into the preset's, by name. */
export const mergeServers = (kept: Json | undefined, requested: Json): Json => {
  if (!Array.isArray(kept) || !Array.isArray(requested)) return requested
  const servers: ReadonlyArray<Json> = kept
  const request: ReadonlyArray<Json> = requested
  const byName = new Map(request.map((server) => [nameOf(server), server]))
  const names = new Set(servers.map(nameOf))
  const merged = servers.map((server) => {
    const sent = byName.get(nameOf(server))
    return isObject(server) && isObject(sent) ? { ...server, ...sent } : server
  })
  return [...merged, ...request.filter((server) => !names.has(nameOf(server)))]
}

/** Merges the tools, and returns the preset's tools that clash with the request's. */
export const mergeTools = (
  kept: ReadonlyArray<KeptTool>,
  { requested, format }: { readonly requested: Json; readonly format: Format }
): MergedTools & { readonly clashes: ReadonlyArray<Lost> } => {
  // A value that is not a list, such as null, replaces the preset's tools.
  if (!Array.isArray(requested)) return { tools: [], sides: [], clashes: [] }
  const request: ReadonlyArray<Json> = requested
  const clashes = clashing(kept, { format, request })
  const left = clashes.size === 0 ? kept : kept.filter((each) => !clashes.has(each))
  return {
    ...mergeLists(left, request),
    clashes: [...clashes].map(({ tool }) => ({
      field: "tools",
      reason: `the request has another tool called ${JSON.stringify(nameOf(tool))}`
    }))
  }
}

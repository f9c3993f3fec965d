/**
 * A request over a version of a preset: the request that is meant, and where each part of it came
 * from. The request wins, field by field; only tools are united.
 */
import type { Schema } from "effect"
import type { PresetVersion } from "./PresetVersion.ts"

/** Where a value came from. */
type Provenance =
  | { readonly from: "preset"; readonly version: number }
  | { readonly from: "request" }

/** A request with everything that its preset adds. */
export interface PresetResolution {
  readonly request: Schema.JsonObject
  /** For every field of the request. United tools count as the request's. */
  readonly fields: ReadonlyMap<string, Provenance>
  /** For every tool of the request, in its order. */
  readonly tools: ReadonlyArray<Provenance>
}

type Json = Schema.Json

const isObject = (value: Json | undefined): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const own = (object: Schema.JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

const within = (object: Schema.JsonObject, name: string, inner: string): Json | undefined => {
  const value = own(object, name)
  return isObject(value) ? own(value, inner) : undefined
}

/**
 * What identifies a tool: the name of a function; the type of a server tool, with its name where
 * it has one: several advisors, or several `mcp` servers, are several tools. A tool of a messages
 * body is a function whose type may be left out, and one of a chat body keeps its name one level
 * down.
 */
const identityOf = (tool: Json): string => {
  if (!isObject(tool)) return JSON.stringify(tool)
  const type = own(tool, "type") ?? "custom"
  const isFunction = type === "function" || type === "custom"
  const name = isFunction
    ? (own(tool, "name") ?? within(tool, "function", "name"))
    : (own(tool, "server_label") ?? within(tool, "parameters", "name"))
  // As JSON: a name may be anything here, even an object that cannot be turned into text otherwise.
  return JSON.stringify([isFunction ? "function" : type, name ?? null])
}

interface Sourced {
  readonly tool: Json
  readonly provenance: Provenance
}

/**
 * The tools of both: the preset's, with those of the request in place of the first one they
 * replace, then the rest of the request's. Tools of one side are never merged with each other: two
 * servers of one type are two tools.
 */
const unite = (
  preset: { readonly tools: ReadonlyArray<Json>; readonly version: number },
  request: ReadonlyArray<Json>
): ReadonlyArray<Sourced> => {
  const asked = Map.groupBy(request, identityOf)
  const united: Array<Sourced> = []
  const takeAsked = (tools: ReadonlyArray<Json>) => {
    for (const tool of tools) united.push({ tool, provenance: { from: "request" } })
  }
  const known = new Set<string>()
  for (const tool of preset.tools) {
    const identity = identityOf(tool)
    const replacing = asked.get(identity)
    if (replacing === undefined) {
      united.push({ tool, provenance: { from: "preset", version: preset.version } })
    } else if (!known.has(identity)) {
      takeAsked(replacing)
    }
    known.add(identity)
  }
  takeAsked(request.filter((tool) => !known.has(identityOf(tool))))
  return united
}

const listOf = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

/** What the preset says, under the names of a request. */
const saidBy = ({ config, systemPrompt }: PresetVersion): Schema.JsonObject =>
  systemPrompt === null ? config : { instructions: systemPrompt, ...config }

/**
 * Lays a request over a version. A field of the request wins even when it is null: it asks for the
 * provider's default.
 */
export const resolve = (version: PresetVersion, request: Schema.JsonObject): PresetResolution => {
  const preset = saidBy(version)
  const fields = new Map<string, Provenance>()
  const values = new Map<string, Json>()
  for (const [name, value] of Object.entries(preset)) {
    fields.set(name, { from: "preset", version: version.version })
    values.set(name, value)
  }
  for (const [name, value] of Object.entries(request)) {
    fields.set(name, { from: "request" })
    values.set(name, value)
  }
  const asked = own(request, "tools")
  // A null, or anything that is not a list, is the request's own word on tools.
  const areUnited = asked === undefined || Array.isArray(asked)
  const tools = areUnited
    ? unite({ tools: listOf(own(preset, "tools")), version: version.version }, listOf(asked))
    : []
  if (tools.length > 0)
    values.set(
      "tools",
      tools.map(({ tool }) => tool)
    )
  return {
    // A name may be `__proto__`: only `fromEntries` defines it as a property like any other.
    request: Object.fromEntries(values),
    fields,
    tools: tools.map(({ provenance }) => provenance)
  }
}

/**
 * A request over a version of a preset: the request that is meant, in its own format, and where
 * each part of it came from. The request wins, field by field; only tools are united.
 */

import { type Format, formatOfConfig, formatOfRequest } from "./Format.ts"
import { fit } from "./fit/Fit.ts"
import { isForGateway } from "./Gateway.ts"
import type { Lost } from "./Idea.ts"
import { isObject, type Json, type JsonObject, own } from "./Json.ts"
import { bringsPrompt, promptField, promptValue } from "./SystemPrompt.ts"
import { identityOf } from "./Tools.ts"
import { shadowedBy, translate } from "./Translation.ts"

/** What a version of a preset says. */
export interface Version {
  readonly version: number
  /** The format of the request that it was made from; null when that was not kept. */
  readonly format: Format | null
  readonly systemPrompt: string | null
  readonly config: JsonObject
}

/** Where a value came from. */
export type Provenance =
  | { readonly from: "preset"; readonly version: number }
  | { readonly from: "request" }

/** A request with everything that its preset adds. */
export interface Resolution {
  readonly request: JsonObject
  /** The format of the request, before and after. */
  readonly format: Format
  /** For every field. United tools, and messages with a prompt before them, are the request's. */
  readonly fields: ReadonlyMap<string, Provenance>
  /** For every tool of the request, in its order. */
  readonly tools: ReadonlyArray<Provenance>
  /** Null when there is none. */
  readonly systemPrompt: Provenance | null
  /**
   * What the preset says and the request does not, or says otherwise: its format has no words for
   * it, or its endpoint would refuse it beside the rest.
   */
  readonly leftOut: ReadonlyArray<Lost>
}

const ofRequest: Provenance = { from: "request" }

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
  preset: { readonly tools: ReadonlyArray<Json>; readonly provenance: Provenance },
  request: ReadonlyArray<Json>
): ReadonlyArray<Sourced> => {
  const { provenance } = preset
  if (request.length === 0) return preset.tools.map((tool) => ({ tool, provenance }))
  const asked = new Map<string, Array<Json>>()
  for (const tool of request) {
    const identity = identityOf(tool)
    const same = asked.get(identity)
    // In place: a request may bring tens of thousands that are the same.
    if (same === undefined) asked.set(identity, [tool])
    else same.push(tool)
  }
  const united: Array<Sourced> = []
  const takeAsked = (tools: ReadonlyArray<Json>) => {
    for (const tool of tools) united.push({ tool, provenance: ofRequest })
  }
  const known = new Set<string>()
  for (const tool of preset.tools) {
    const identity = identityOf(tool)
    const replacing = asked.get(identity)
    if (replacing === undefined) united.push({ tool, provenance })
    else if (!known.has(identity)) takeAsked(replacing)
    known.add(identity)
  }
  takeAsked(request.filter((tool) => !known.has(identityOf(tool))))
  return united
}

const listOf = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

/** The name under which an endpoint of messages knows a tool, of whatever kind. */
const nameOf = (tool: Json): Json | undefined => (isObject(tool) ? own(tool, "name") : undefined)

/** The tools of a preset whose names the request gives to tools of other kinds. */
const clashing = (
  tools: ReadonlyArray<Json>,
  { format, request }: { readonly format: Format; readonly request: ReadonlyArray<Json> }
): ReadonlySet<Json> => {
  if (format !== "messages" || request.length === 0) return new Set()
  const taken = new Map(request.map((tool) => [nameOf(tool), identityOf(tool)]))
  taken.delete(undefined)
  return new Set(
    tools.filter((tool) => {
      const identity = taken.get(nameOf(tool))
      return identity !== undefined && identity !== identityOf(tool)
    })
  )
}

/** Fields and where they came from, while they are put together. */
class Sheet {
  readonly values = new Map<string, Json>()
  readonly fields = new Map<string, Provenance>()
  set(name: string, value: Json, provenance: Provenance): void {
    this.values.set(name, value)
    this.fields.set(name, provenance)
  }
  isRequests(name: string): boolean | undefined {
    const provenance = this.fields.get(name)
    return provenance && provenance.from === "request"
  }
}

/** The tools of both, and those of the preset that cannot stand beside them. */
const toolsOf = (
  kept: ReadonlyArray<Json>,
  {
    format,
    provenance,
    request
  }: {
    readonly format: Format
    readonly provenance: Provenance
    readonly request: JsonObject
  }
): { readonly tools: ReadonlyArray<Sourced>; readonly clashes: ReadonlyArray<Lost> } => {
  const asked = own(request, "tools")
  // A null, or anything that is not a list, is the request's own word on tools.
  if (asked !== undefined && !Array.isArray(asked)) return { tools: [], clashes: [] }
  const clashes = clashing(kept, { format, request: listOf(asked) })
  const left = clashes.size === 0 ? kept : kept.filter((tool) => !clashes.has(tool))
  return {
    tools: unite({ tools: left, provenance }, listOf(asked)),
    clashes: [...clashes].map((tool) => ({
      field: "tools",
      reason: `the request has another tool called ${JSON.stringify(nameOf(tool))}`
    }))
  }
}

/** The prompt of the preset in the request's own field, or whose prompt counts instead. */
interface Prompted {
  readonly field: string
  /** Absent when the preset adds none. */
  readonly value?: Json
  readonly systemPrompt: Provenance | null
  readonly lost: ReadonlyArray<Lost>
}

const promptIn = (
  format: Format,
  {
    prompt,
    provenance,
    request
  }: {
    readonly prompt: string | null
    readonly provenance: Provenance
    readonly request: JsonObject
  }
): Prompted => {
  const field = promptField[format]
  if (bringsPrompt[format](request)) return { field, systemPrompt: ofRequest, lost: [] }
  if (prompt === null) return { field, systemPrompt: null, lost: [] }
  const value = promptValue[format](prompt, request)
  if (value !== undefined) return { field, value, systemPrompt: provenance, lost: [] }
  const reason = `the request has something else in ${field}`
  return { field, systemPrompt: null, lost: [{ field: "system_prompt", reason }] }
}

/**
 * Lays a request over a version. A field of the request wins even when it is null: it asks for the
 * provider's default.
 */
export const resolve = (
  version: Version,
  request: JsonObject,
  format: Format = formatOfRequest(request)
): Resolution => {
  const provenance: Provenance = { from: "preset", version: version.version }
  const { config } = version
  const from = version.format ?? formatOfConfig(config)
  // Within one format all words stay.
  const isGateway = from !== format && isForGateway({ config, from, request, to: format })
  const direction = { from, to: format, around: { isGateway } }
  const { fields: added, lost, sources } = translate(config, direction)
  const sheet = new Sheet()
  const prompted = promptIn(format, { prompt: version.systemPrompt, provenance, request })
  const { field, value: prompt } = prompted
  const shadowed = shadowedBy(request, format)
  if (prompt !== undefined) sheet.set(field, prompt, provenance)
  for (const [name, value] of added) {
    if (!shadowed.has(name)) sheet.set(name, value, provenance)
  }
  for (const [name, value] of Object.entries(request)) sheet.set(name, value, ofRequest)
  // Messages are the request's, with the prompt before them.
  if (prompt !== undefined) sheet.values.set(field, prompt)
  const { clashes, tools } = toolsOf(listOf(added.get("tools")), { format, provenance, request })
  if (tools.length > 0) {
    sheet.values.set(
      "tools",
      tools.map(({ tool }) => tool)
    )
  }
  const changed = fit({
    values: sheet.values,
    isRequests: (name) => sheet.isRequests(name),
    format,
    isTranslated: from !== format,
    nameOf: (name) => sources.get(name) ?? name
  })
  for (const name of sheet.fields.keys()) {
    if (!sheet.values.has(name)) sheet.fields.delete(name)
  }
  return {
    // A name may be `__proto__`: only `fromEntries` defines it as a property like any other.
    request: Object.fromEntries(sheet.values),
    format,
    fields: sheet.fields,
    tools: tools.map((each) => each.provenance),
    systemPrompt: prompted.systemPrompt,
    leftOut: [...lost, ...prompted.lost, ...clashes, ...changed]
  }
}

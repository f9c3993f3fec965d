/**
 * A request over a version of a preset: the request that is meant, in its own format, and where
 * each part of it came from. The request wins, field by field; only tools are united.
 */
import { type Format, formatOfConfig, formatOfRequest } from "./Format.ts"
import type { Lost } from "./Idea.ts"
import { type Json, type JsonObject, own, setMember } from "./Json.ts"
import { bringsPrompt, promptField, promptValue } from "./SystemPrompt.ts"
import { identityOf, isSaid } from "./Tools.ts"
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
  /** What the preset says and the format of the request has no words for. */
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

/** Fields and where they came from, while they are put together. */
class Sheet {
  readonly values: Record<string, Json> = {}
  readonly fields = new Map<string, Provenance>()
  set(name: string, value: Json, provenance: Provenance): void {
    setMember(this.values, name, value)
    this.fields.set(name, provenance)
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
  const asked = own(request, "tools")
  // A null, or anything that is not a list, is the request's own word on tools.
  const areUnited = asked === undefined || Array.isArray(asked)
  const kept = listOf(own(version.config, "tools"))
  const hasOne = listOf(asked).length > 0 || kept.some((tool) => isSaid(tool, format))
  const hasTools = areUnited && hasOne
  const {
    fields: added,
    tools: keptTools,
    lost
  } = translate(version.config, {
    from: version.format ?? formatOfConfig(version.config),
    to: format,
    around: { hasTools }
  })
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
  if (prompt !== undefined) sheet.values[field] = prompt
  const preset = { tools: listOf(keptTools), provenance }
  const tools = areUnited ? unite(preset, listOf(asked)) : []
  if (tools.length > 0) {
    sheet.values.tools = tools.map(({ tool }) => tool)
  }
  return {
    request: sheet.values,
    format,
    fields: sheet.fields,
    tools: tools.map((each) => each.provenance),
    systemPrompt: prompted.systemPrompt,
    leftOut: [...lost, ...prompted.lost]
  }
}

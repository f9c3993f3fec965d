/**
 * Resolves a request with a version of a preset. The result is the complete request in its own
 * format, with the origin of each part. The request takes precedence field by field unless the
 * version lists a field in `wins`; tools and MCP servers are merged.
 */

import type { Lost } from "./FieldMapping.ts"
import { type Format, formatOfRequest } from "./Format.ts"
import { fit, isRefused } from "./fit/Fit.ts"
import { isForGateway } from "./Gateway.ts"
import { type Json, type JsonObject, listIn, own, without } from "./Json.ts"
import { blocksField, bringsPrompt, promptField, promptValue, writePrompt } from "./SystemPrompt.ts"
import { type KeptTool, keptTools, mergeServers, mergeTools } from "./ToolUnion.ts"
import { sameAs, translate } from "./Translation.ts"
import { fill, placesIn, valuesField } from "./Variables.ts"

/** A preset version's content. */
export interface Version {
  readonly version: number
  /** The format of the request from which the version was created. */
  readonly format: Format
  readonly systemPrompt: string | null
  readonly config: JsonObject
  /** The fields of `config` that take precedence over the request's own. */
  readonly wins?: ReadonlyArray<string>
}

/** The origin of a value: a version of the preset, or the request. */
export type Provenance =
  | { readonly from: "preset"; readonly version: number }
  | { readonly from: "request" }

/** A request that has been completed with a preset. */
export interface Resolution {
  readonly request: JsonObject
  /** The request's format, which resolving does not change. */
  readonly format: Format
  /**
   * The origin of each field, by name. Merged tools, and messages after a prompt, count as parts of
   * the request.
   */
  readonly fields: ReadonlyMap<string, Provenance>
  /** The origin of each tool in the resolved request, in the tools' order. */
  readonly tools: ReadonlyArray<Provenance>
  /** The origin of the system prompt; null if there is no prompt. */
  readonly systemPrompt: Provenance | null
  /**
   * Parts of the preset that the request lacks or changes, because its format cannot express them
   * or its endpoint would reject them. The list also contains values without a variable, and
   * request fields over which the preset took precedence.
   */
  readonly leftOut: ReadonlyArray<Lost>
  /** The error in `variables`, if any. A request with such an error must not be sent. */
  readonly unfilled?: string
}

/** The origin shared by all values that came from a request. */
const ofRequest: Provenance = Object.freeze({ from: "request" })

/** The system prompt of the resolved request: the preset's, or the request's own. */
interface Prompted {
  readonly field: string
  /** The value of the prompt's field; undefined if the preset adds no prompt. */
  readonly value?: Json
  readonly systemPrompt: Provenance | null
  readonly lost: ReadonlyArray<Lost>
  readonly unfilled?: string
}

const promptIn = (
  format: Format,
  {
    places,
    prompt,
    provenance,
    request
  }: {
    readonly places: ReturnType<typeof placesIn>
    readonly prompt: ReturnType<typeof writePrompt> | null
    readonly provenance: Provenance
    readonly request: JsonObject
  }
): Prompted => {
  const field = promptField[format]
  const values = own(request, valuesField)
  const isBrought = bringsPrompt[format](request)
  if (isBrought || prompt === null) {
    // Variables in the request's own prompt are not filled.
    const unused = fill(null, { places: placesIn(null), values })
    return { ...unused, field, systemPrompt: isBrought ? ofRequest : null }
  }
  const { content, ...filled } = fill(prompt.content, { places, values })
  const lost = [...prompt.lost, ...filled.lost]
  const value = promptValue[format](content, request)
  if (value !== undefined) return { ...filled, field, value, systemPrompt: provenance, lost }
  const reason = `the request has something else in ${field}`
  return { ...filled, field, systemPrompt: null, lost: [{ field: "system_prompt", reason }] }
}

/**
 * A version translated to one format. Requests with the same prompt field and kind of endpoint
 * share the translation.
 */
interface WrittenVersion {
  /** The translated values by field. If there is a prompt, its field comes first. */
  readonly values: ReadonlyMap<string, Json>
  readonly fields: ReadonlyMap<string, Provenance>
  /** For each field, the preset's fields that it was translated from. */
  readonly sources: ReadonlyMap<string, ReadonlyArray<string>>
  readonly lost: ReadonlyArray<Lost>
  readonly tools: ReadonlyArray<KeptTool>
  readonly toolsFrom: ReadonlyArray<Provenance>
  /**
   * Returns the request's fields that the preset replaces, and the tool choice if its tool was
   * dropped.
   */
  readonly beatenIn: (sent: JsonObject) => ReadonlyArray<string>
}

/** Translates a configuration. `place` is the field that holds the prompt. */
const writeVersion = (
  {
    config,
    provenance,
    wins
  }: Pick<Version, "config"> & {
    readonly provenance: Provenance
    readonly wins: ReadonlyArray<string>
  },
  { place, ...direction }: Parameters<typeof translate>[1] & { readonly place: string | undefined }
): WrittenVersion => {
  const { fields: added, lost, sources } = translate(config, direction)
  const values = new Map<string, Json>(place === undefined ? [] : [[place, null]])
  for (const [name, value] of added) values.set(name, value)
  const won = [...added.keys()].filter((name) =>
    (sources.get(name) ?? [name]).some((source) => wins.includes(source))
  )
  const beaten = [...won, ...sameAs((name) => won.includes(name), direction.to)]
  const tools = added.get("tools") ?? null
  const isGone = (tool_choice: Json) =>
    won.includes("tools") &&
    isRefused(direction.to, new Map(Object.entries({ tools, tool_choice })))
  const beatenIn = (sent: JsonObject) =>
    Object.entries(sent).flatMap(([name, value]) =>
      beaten.includes(name) || (name === "tool_choice" && isGone(value)) ? name : []
    )
  const fields = new Map<string, Provenance>()
  for (const name of values.keys()) fields.set(name, provenance)
  const kept = keptTools(tools)
  const toolsFrom = Object.freeze(kept.map(() => provenance))
  return { values, fields, sources, lost, tools: kept, toolsFrom, beatenIn }
}

/**
 * Returns functions that write a version and its prompt. A version is written only once for each
 * format, kind of endpoint and prompt field.
 */
const makeVersionWriter = (version: Version, provenance: Provenance) => {
  const { format: from, systemPrompt: text } = version
  const config = without(version.config, [blocksField])
  const wins = version.wins ?? []
  const blocks = listIn(version.config, blocksField)
  const promptFor = (to: Format, isGateway: boolean) =>
    text === null ? null : writePrompt({ text, blocks }, { from, to, isGateway })
  const made = new Map<string, WrittenVersion>()
  const writtenIn = (to: Format, isGateway: boolean, place: string | undefined) => {
    const key = `${to} ${isGateway} ${place}`
    const known =
      made.get(key) ??
      writeVersion({ config, provenance, wins }, { from, to, around: { isGateway }, place })
    made.set(key, known)
    return known
  }
  return { config, from, wins, promptFor, writtenIn }
}

/** Adds the preset's fields that the request does not set, and merges tools and MCP servers. */
const merge = (
  written: WrittenVersion,
  { field, value: prompt }: Prompted,
  { format, request }: { readonly format: Format; readonly request: JsonObject }
) => {
  const values = new Map(written.values)
  const fields = new Map(written.fields)
  for (const name of sameAs((each) => own(request, each) !== undefined, format)) {
    values.delete(name)
    fields.delete(name)
  }
  for (const [name, value] of Object.entries(request)) {
    if (name === valuesField) continue
    values.set(name, value)
    fields.set(name, ofRequest)
  }
  // The preset's prompt comes first, and the request's messages follow.
  if (prompt !== undefined) values.set(field, prompt)
  const requested = own(request, "tools")
  const tools =
    requested === undefined ? undefined : mergeTools(written.tools, { requested, format })
  if (tools !== undefined && tools.tools.length > 0) values.set("tools", tools.tools)
  const servers = own(request, "mcp_servers")
  if (servers !== undefined) {
    values.set("mcp_servers", mergeServers(written.values.get("mcp_servers"), servers))
  }
  return { values, fields, tools }
}

/** Resolves a request against a single version. */
type Resolve = (request: JsonObject, format?: Format) => Resolution

/**
 * Prepares a version, which is translated to a format only when the first request in that format
 * arrives.
 */
const prepare = (version: Version): Resolve => {
  const provenance: Provenance = Object.freeze({ from: "preset", version: version.version })
  const { config, from, wins, promptFor, writtenIn } = makeVersionWriter(version, provenance)
  const places = placesIn(version.systemPrompt)
  return (sent, format = formatOfRequest(sent)) => {
    // A preset in the request's own format needs no translation.
    const isGateway =
      from !== format && isForGateway({ config, from, request: without(sent, wins), to: format })
    const prompt = promptFor(format, isGateway)
    const prompted = promptIn(format, { places, prompt, provenance, request: sent })
    const { field, unfilled } = prompted
    const written = writtenIn(format, isGateway, prompted.value === undefined ? undefined : field)
    const beaten = written.beatenIn(sent)
    const request = without(sent, beaten)
    const { fields, tools, values } = merge(written, prompted, { format, request })
    const changed = fit({
      values,
      isRequests: (name) => {
        const side = fields.get(name)
        return side && side.from === "request"
      },
      format,
      isTranslated: from !== format,
      nameOf: (name) => written.sources.get(name)?.[0] ?? name
    })
    // Deletes the fields that the rules removed. No other step deletes fields.
    if (changed.length > 0) {
      for (const name of fields.keys()) if (!values.has(name)) fields.delete(name)
    }
    return {
      // A field can be named `__proto__`, and only `fromEntries` makes that an ordinary property.
      request: Object.fromEntries(values),
      format,
      fields,
      tools:
        tools?.sides.map((side) => (side === "preset" ? provenance : ofRequest)) ??
        written.toolsFrom,
      systemPrompt: prompted.systemPrompt,
      leftOut: [
        ...written.lost,
        ...prompted.lost,
        ...beaten.map((name) => ({ field: name, reason: "the preset wins over the request" })),
        ...(tools?.clashes ?? []),
        ...changed
      ],
      ...(unfilled === undefined ? {} : { unfilled })
    }
  }
}

/**
 * Keeps prepared versions until the original versions are garbage-collected. Without this map,
 * `resolve` would take 15 % longer.
 */
const prepared = new WeakMap<Version, Resolve>()

/**
 * Resolves a request with a version; do not change the version afterwards. A request's field takes
 * precedence, even if its value is null (the provider's default), unless the version lists the
 * field in `wins`. The request's `variables` fill the prompt.
 */
export const resolve = (version: Version, request: JsonObject, format?: Format): Resolution => {
  const known = prepared.get(version) ?? prepare(version)
  prepared.set(version, known)
  return known(request, format)
}

/**
 * A request over a version of a preset: the request that is meant, in its own format, and where
 * each part of it came from. The request wins, field by field, unless the version says otherwise;
 * only tools and MCP servers are united.
 */
import { type Format, formatOfRequest } from "./Format.ts"
import { fit, isRefused } from "./fit/Fit.ts"
import { isForGateway } from "./Gateway.ts"
import type { Lost } from "./Idea.ts"
import { type Json, type JsonObject, listIn, own, without } from "./Json.ts"
import { blocksField, bringsPrompt, promptField, promptValue, sayPrompt } from "./SystemPrompt.ts"
import { type KeptTool, keptTools, uniteServers, uniteTools } from "./ToolUnion.ts"
import { sameAs, translate } from "./Translation.ts"
import { fill, placesIn, valuesField } from "./Variables.ts"

/** What a version of a preset says. */
export interface Version {
  readonly version: number
  /** The format of the request that it was made from. */
  readonly format: Format
  readonly systemPrompt: string | null
  readonly config: JsonObject
  /** The fields of `config` that count in place of the request's own. */
  readonly wins?: ReadonlyArray<string>
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
   * it, or its endpoint would refuse it with the rest. Also values without a variable, and fields
   * of the request where the preset wins.
   */
  readonly leftOut: ReadonlyArray<Lost>
  /** What is wrong with `variables`: such a request must not be sent. */
  readonly unfilled?: string
}

/** All that came from any request shares it. */
const ofRequest: Provenance = Object.freeze({ from: "request" })

/** The prompt of the preset in the request's own field, or whose prompt counts instead. */
interface Prompted {
  readonly field: string
  /** Absent when the preset adds none. */
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
    readonly prompt: ReturnType<typeof sayPrompt> | null
    readonly provenance: Provenance
    readonly request: JsonObject
  }
): Prompted => {
  const field = promptField[format]
  const values = own(request, valuesField)
  const isBrought = bringsPrompt[format](request)
  if (isBrought || prompt === null) {
    // Nothing is filled in what the request brings.
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

/** What a version says in a format: the same for all requests that are alike in their prompts. */
interface Sayings {
  /** The place of the prompt, where there is one, before all others. */
  readonly values: ReadonlyMap<string, Json>
  readonly fields: ReadonlyMap<string, Provenance>
  /** By the fields that were written, those of the preset that they come from. */
  readonly sources: ReadonlyMap<string, ReadonlyArray<string>>
  readonly lost: ReadonlyArray<Lost>
  readonly tools: ReadonlyArray<KeptTool>
  readonly toolsFrom: ReadonlyArray<Provenance>
  /** The fields of a request that the preset's replace, and the choice of a tool that is gone. */
  readonly beatenIn: (sent: JsonObject) => ReadonlyArray<string>
}

/** Translates a configuration; `place` is the field of the prompt that goes with it. */
const say = (
  {
    config,
    provenance,
    wins
  }: Pick<Version, "config"> & {
    readonly provenance: Provenance
    readonly wins: ReadonlyArray<string>
  },
  { place, ...direction }: Parameters<typeof translate>[1] & { readonly place: string | undefined }
): Sayings => {
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

/** What a version says, by the format, the kind of endpoint and the place of the prompt. */
const makeSayings = (version: Version, provenance: Provenance) => {
  const { format: from, systemPrompt: text } = version
  const config = without(version.config, [blocksField])
  const wins = version.wins ?? []
  const blocks = listIn(version.config, blocksField)
  const promptFor = (to: Format, isGateway: boolean) =>
    text === null ? null : sayPrompt({ text, blocks }, { from, to, isGateway })
  const made = new Map<string, Sayings>()
  const sayingsIn = (to: Format, isGateway: boolean, place: string | undefined) => {
    const key = `${to} ${isGateway} ${place}`
    const known =
      made.get(key) ?? say({ config, provenance, wins }, { from, to, around: { isGateway }, place })
    made.set(key, known)
    return known
  }
  return { config, from, wins, promptFor, sayingsIn }
}

/** Lays a request over one version, in the format of the request. */
type Resolve = (request: JsonObject, format?: Format) => Resolution

/** Prepares a version: what it says in a format is worked out with the first request of it. */
const prepare = (version: Version): Resolve => {
  const provenance: Provenance = Object.freeze({ from: "preset", version: version.version })
  const { config, from, wins, promptFor, sayingsIn } = makeSayings(version, provenance)
  const places = placesIn(version.systemPrompt)
  return (sent, format = formatOfRequest(sent)) => {
    // Within one format all words stay.
    const isGateway =
      from !== format && isForGateway({ config, from, request: without(sent, wins), to: format })
    const prompt = promptFor(format, isGateway)
    const prompted = promptIn(format, { places, prompt, provenance, request: sent })
    const { field, unfilled, value: written } = prompted
    const said = sayingsIn(format, isGateway, written === undefined ? undefined : field)
    const beaten = said.beatenIn(sent)
    const request = without(sent, beaten)
    const values = new Map(said.values)
    const fields = new Map(said.fields)
    for (const name of sameAs((each) => own(request, each) !== undefined, format)) {
      values.delete(name)
      fields.delete(name)
    }
    for (const [name, value] of Object.entries(request)) {
      if (name === valuesField) continue
      values.set(name, value)
      fields.set(name, ofRequest)
    }
    // Messages are the request's, with the prompt before them.
    if (written !== undefined) values.set(field, written)
    const asked = own(request, "tools")
    const united = asked === undefined ? undefined : uniteTools(said.tools, { asked, format })
    if (united !== undefined && united.tools.length > 0) values.set("tools", united.tools)
    const servers = own(request, "mcp_servers")
    if (servers !== undefined) {
      values.set("mcp_servers", uniteServers(said.values.get("mcp_servers"), servers))
    }
    const changed = fit({
      values,
      isRequests: (name) => {
        const side = fields.get(name)
        return side && side.from === "request"
      },
      format,
      isTranslated: from !== format,
      nameOf: (name) => said.sources.get(name)?.[0] ?? name
    })
    // Nothing else takes a field away.
    if (changed.length > 0) {
      for (const name of fields.keys()) if (!values.has(name)) fields.delete(name)
    }
    return {
      // A name may be `__proto__`: only `fromEntries` defines it as a property like any other.
      request: Object.fromEntries(values),
      format,
      fields,
      tools:
        united?.sides.map((side) => (side === "preset" ? provenance : ofRequest)) ?? said.toolsFrom,
      systemPrompt: prompted.systemPrompt,
      leftOut: [
        ...said.lost,
        ...prompted.lost,
        ...beaten.map((name) => ({ field: name, reason: "the preset wins over the request" })),
        ...(united?.clashes ?? []),
        ...changed
      ],
      ...(unfilled === undefined ? {} : { unfilled })
    }
  }
}

/** Prepared versions, each for as long as it is held: without them a `resolve` takes 15 % more. */
const prepared = new WeakMap<Version, Resolve>()

/**
 * Lays a request over a version, which must not change any more. A field of the request wins, also
 * with null, which asks for the provider's default, unless the version wins in it. `variables` of
 * the request fill the prompt.
 */
export const resolve = (version: Version, request: JsonObject, format?: Format): Resolution => {
  const known = prepared.get(version) ?? prepare(version)
  prepared.set(version, known)
  return known(request, format)
}

/**
 * Maps tools. Each format describes the client's functions in its own shape. A tool that a gateway
 * runs has the same shape in every format that supports it.
 */
import { closeSchema, isAllRequired } from "./ClosedSchema.ts"
import {
  type FieldMapping,
  inEvery,
  type Lost,
  noWords,
  partly,
  type Surroundings,
  type Written
} from "./FieldMapping.ts"
import type { Format } from "./Format.ts"
import { isObject, type Json, type JsonObject, objectOf, own, within, without } from "./Json.ts"

/**
 * A function that the client runs. `rest` has the tool's remaining members, and `inside` those of
 * its function.
 */
interface FunctionTool {
  readonly name: Json | undefined
  readonly description: Json | undefined
  readonly parameters: Json | undefined
  readonly strict: Json | undefined
  readonly rest: JsonObject
  readonly inside: JsonObject
}

/**
 * The members that each shape has. The sets are built only once, because a preset can have hundreds
 * of tools.
 */
const outer = new Set(["type", "function"])
const inner = new Set(["name", "description", "parameters", "strict"])
const flat = new Set(["type", ...inner])
const custom = new Set(["type", "name", "description", "input_schema", "strict"])

const restOf = (tool: JsonObject, read: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(tool).filter(([name]) => !read.has(name)))

const functionOf = (
  object: JsonObject,
  {
    inside = {},
    parameters,
    rest
  }: Pick<FunctionTool, "rest"> & { readonly inside?: JsonObject; readonly parameters: string }
): FunctionTool => ({
  name: own(object, "name"),
  description: own(object, "description"),
  parameters: own(object, parameters),
  strict: own(object, "strict"),
  rest,
  inside: restOf(inside, inner)
})

/** Reads a client function of any shape; returns undefined for a tool that the gateway runs. */
const readFunction = (tool: JsonObject): FunctionTool | undefined => {
  const type = own(tool, "type") ?? "custom"
  if (type === "function") {
    const called = own(tool, "function")
    return isObject(called)
      ? functionOf(called, {
          parameters: "parameters",
          rest: restOf(tool, outer),
          inside: called
        })
      : functionOf(tool, { parameters: "parameters", rest: restOf(tool, flat) })
  }
  if (type !== "custom" || own(tool, "input_schema") === undefined) return undefined
  return functionOf(tool, { parameters: "input_schema", rest: restOf(tool, custom) })
}

/**
 * Returns the settings of a free-text tool; undefined for any other tool. Responses has the
 * settings next to the type, and chats one level deeper; the messages format has no free-text
 * tools.
 */
const readFreeText = (tool: JsonObject): JsonObject | undefined => {
  if (own(tool, "type") !== "custom" || own(tool, "input_schema") !== undefined) return undefined
  const inside = own(tool, "custom")
  return isObject(inside) ? inside : without(tool, ["type"])
}

/** Converts a grammar, which is one level deeper in chats. */
const formatIn = (settings: JsonObject, shape: (grammar: JsonObject) => JsonObject): JsonObject => {
  const format = own(settings, "format")
  if (!isObject(format) || own(format, "type") !== "grammar") return settings
  const inside = own(format, "grammar")
  const grammar = isObject(inside) ? inside : without(format, ["type"])
  return { ...settings, format: { type: "grammar", ...shape(grammar) } }
}

/**
 * Writes a free-text tool; returns undefined if the format has none. Gateways offer no free-text
 * tools in chats.
 */
const writeFreeText = (
  settings: JsonObject,
  { format, isGateway }: Direction
): JsonObject | undefined => {
  if (format === "responses") {
    return { ...formatIn(settings, (grammar) => grammar), type: "custom" }
  }
  if (format === "messages" || isGateway) return undefined
  return { type: "custom", custom: formatIn(settings, (grammar) => ({ grammar })) }
}

const describe = (
  { description, name, parameters, strict }: FunctionTool,
  schema = "parameters"
): JsonObject => objectOf({ name, description, [schema]: parameters, strict })

const noParameters = { type: "object", properties: {} }

/** Adds `type: "object"` to a parameter schema without a type. */
const ofObject = (schema: Json): Json => {
  if (!isObject(schema)) return schema
  const type = own(schema, "type") ?? null
  const isObjectToo = type === null || (Array.isArray(type) && type.includes("object"))
  return isObjectToo ? { ...schema, type: "object" } : schema
}

/** Removes null members, because null means the same as a missing member. */
const withoutNulls = (tool: FunctionTool): FunctionTool => ({
  ...tool,
  description: tool.description ?? undefined,
  parameters: tool.parameters ?? undefined,
  strict: tool.strict ?? undefined
})

const write: Readonly<Record<Format, (tool: FunctionTool) => JsonObject>> = {
  // The Responses format requires `parameters`, and treats a function without `strict` as strict.
  responses: ({ parameters = noParameters, strict = false, ...tool }) => ({
    type: "function",
    ...describe({ ...tool, parameters, strict })
  }),
  chatCompletions: (tool) => ({ type: "function", function: describe(tool) }),
  messages: ({ parameters = noParameters, ...tool }) =>
    describe({ ...tool, parameters: ofObject(parameters) }, "input_schema")
}

/** Additional members of functions that gateways accept. */
const extras: Readonly<Record<Format, ReadonlySet<string>>> = {
  responses: new Set(["async", "defer_loading"]),
  chatCompletions: new Set(["cache_control"]),
  messages: new Set(["cache_control", "defer_loading"])
}

/** Whether an endpoint can enforce a schema. Endpoints that cannot enforce it reject `strict`. */
const canBeStrict = (schema: Json, format: Format): boolean => {
  const closed = closeSchema(schema)
  if (format === "messages") return closed?.isChanged === false
  return closed !== undefined && isAllRequired(schema)
}

const isTooLoose = ({ parameters, strict }: FunctionTool, format: Format): boolean =>
  strict === true && isObject(parameters) && !canBeStrict(parameters, format)

/** A tool written in a format; undefined if the format lacks the tool. */
interface WrittenTool {
  readonly tool: Json | undefined
  readonly lost: ReadonlyArray<Lost>
}

const writeFunctionTool = (
  read: FunctionTool,
  { format, isGateway, place }: Direction & { readonly place: number }
): WrittenTool => {
  const lost: Array<Lost> = []
  const lose = (name: string, reason: string) =>
    lost.push({ field: `tools.${place}.${name}`, reason })
  const isLoose = isTooLoose(read, format)
  if (isLoose) lose("strict", "its schema is not strict enough for the format of the request")
  const members = withoutNulls(read)
  const written = write[format](isLoose ? { ...members, strict: false } : members)
  const kept: Record<string, Json> = {}
  for (const [rest, path] of [[read.rest, ""] as const, [read.inside, "function."] as const]) {
    for (const [name, value] of Object.entries(rest)) {
      if (isGateway && extras[format].has(name)) kept[name] = value
      else lose(`${path}${name}`, noWords)
    }
  }
  return { tool: { ...kept, ...written }, lost }
}

/** Gateways offer the same web search tool in Responses requests and in chats. */
const webSearch = /^web_search(_preview)?(_\d{4}_\d\d_\d\d)?$/

/** Tools that a gateway runs, but does not offer in chats. */
const notInChats = /^openrouter:(apply_patch|shell|tool_search)$/

/**
 * Whether a gateway can also run a tool in another format. The messages format accepts any type.
 */
const isRunIn = (tool: JsonObject, format: Format): boolean => {
  const type = String(own(tool, "type"))
  if (format === "messages" || webSearch.test(type)) return true
  return type.startsWith("openrouter:") && !(format === "chatCompletions" && notInChats.test(type))
}

/** Maximum length of a function name in chats; other formats allow 128 characters. */
const chatNameMax = 64

const toolIn = (tool: Json, direction: Direction & { readonly place: number }): WrittenTool => {
  const { format, isGateway, place } = direction
  if (!isObject(tool)) return { tool, lost: [] }
  const lose = (reason: string): WrittenTool => ({
    tool: undefined,
    lost: [{ field: `tools.${place}`, reason }]
  })
  const text = readFreeText(tool)
  if (text !== undefined) {
    const written = writeFreeText(text, direction)
    return written === undefined ? lose(noFreeText) : { tool: written, lost: [] }
  }
  const read = readFunction(tool)
  if (read !== undefined) {
    const isLong = typeof read.name === "string" && read.name.length > chatNameMax
    return isLong && format === "chatCompletions" && !isGateway
      ? lose(`its name has more than ${chatNameMax} characters`)
      : writeFunctionTool(read, direction)
  }
  return isGateway && isRunIn(tool, format) ? { tool, lost: [] } : lose(noSuchTool)
}

const readTools = (config: JsonObject): ReadonlyArray<Json> | undefined => {
  const found = own(config, "tools")
  return Array.isArray(found) ? found : undefined
}

interface Direction extends Surroundings {
  readonly format: Format
}

const writeTools =
  (format: Format) =>
  (found: ReadonlyArray<Json>, { isGateway }: Surroundings): Written => {
    const written = found.map((tool, place) => toolIn(tool, { format, isGateway, place }))
    const lost = written.flatMap((each) => each.lost)
    const left = written.flatMap(({ tool }) => (tool === undefined ? [] : [tool]))
    return partly(left.length === 0 && found.length > 0 ? {} : { tools: left }, lost)
  }

const noFreeText = "the format of the request has no tools that take free text"

const noSuchTool = "only endpoints of the preset's own format run it"

/** Maps all tools. */
export const tools: FieldMapping<ReadonlyArray<Json>> = {
  fields: inEvery(() => ["tools"]),
  read: inEvery(() => readTools),
  write: inEvery(writeTools)
}

/**
 * Returns a tool's identity. A function is identified by its name; a server tool by its type and,
 * if it has one, its name, so that several advisors or several `mcp` servers stay separate tools.
 * In the messages format, functions may lack a type; in chats, their name is one level deeper.
 */
export const identityOf = (tool: Json): string => {
  if (!isObject(tool)) return `=${JSON.stringify(tool)}`
  const type = own(tool, "type") ?? "custom"
  const isFunction = type === "function" || type === "custom"
  const name = isFunction
    ? (own(tool, "name") ?? within(tool, "function", "name") ?? within(tool, "custom", "name"))
    : (own(tool, "server_label") ?? within(tool, "parameters", "name"))
  if (isFunction && typeof name === "string") return `function ${name}`
  // The name becomes JSON, because it can be any value here, even an object.
  return JSON.stringify([isFunction ? "function" : type, name ?? null])
}

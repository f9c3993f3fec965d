/**
 * The tools of a request. A function of the client is written in three shapes; tools that a gateway
 * runs are the same in all, because their kinds are not a closed list.
 */
import { closeSchema, isAllRequired } from "./ClosedSchema.ts"
import type { Format } from "./Format.ts"
import { type Idea, type Lost, noWords, partly, type Said, type Surroundings } from "./Idea.ts"
import { isObject, type Json, type JsonObject, own, within, without } from "./Json.ts"

/** A function of the client, and whatever else stands in the tool or within its function. */
interface FunctionTool {
  readonly name: Json | undefined
  readonly description: Json | undefined
  readonly parameters: Json | undefined
  readonly strict: Json | undefined
  readonly rest: JsonObject | undefined
  readonly inside: JsonObject | undefined
}

/** The members of each shape that are read; a preset may have hundreds of tools. */
const outer = new Set(["type", "function"])
const inner = new Set(["name", "description", "parameters", "strict"])
const flat = new Set(["type", ...inner])
const custom = new Set(["type", "name", "description", "input_schema", "strict"])

const restOf = (tool: JsonObject, read: ReadonlySet<string>): JsonObject | undefined => {
  const names = Object.keys(tool).filter((name) => !read.has(name))
  if (names.length === 0) return undefined
  return Object.fromEntries(Object.entries(tool).filter(([name]) => !read.has(name)))
}

const functionOf = (
  object: JsonObject,
  {
    inside,
    parameters,
    rest
  }: Pick<FunctionTool, "rest"> & { readonly inside?: JsonObject; readonly parameters: string }
): FunctionTool => ({
  name: own(object, "name"),
  description: own(object, "description"),
  parameters: own(object, parameters),
  strict: own(object, "strict"),
  rest,
  inside: inside && restOf(inside, inner)
})

/** A tool as a function, whatever its shape; undefined for one that the gateway runs. */
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
 * The settings of a tool that takes free text, which messages requests do not have: beside its type
 * in one format, a level deeper in the other. Undefined for any other tool.
 */
const readFreeText = (tool: JsonObject): JsonObject | undefined => {
  if (own(tool, "type") !== "custom" || own(tool, "input_schema") !== undefined) return undefined
  const inside = own(tool, "custom")
  return isObject(inside) ? inside : without(tool, ["type"])
}

const writeFreeText: Readonly<Record<Format, ((settings: JsonObject) => JsonObject) | undefined>> =
  {
    responses: (settings) => ({ ...settings, type: "custom" }),
    chatCompletions: (custom) => ({ type: "custom", custom }),
    messages: undefined
  }

type Members = Record<string, Json>

const describe = (members: Members, { description, name, parameters, strict }: FunctionTool) => {
  if (name !== undefined) members.name = name
  if (description !== undefined) members.description = description
  if (parameters !== undefined) members.parameters = parameters
  if (strict !== undefined) members.strict = strict
  return members
}

const noParameters = { type: "object", properties: {} }

const write: Readonly<Record<Format, (tool: FunctionTool) => JsonObject>> = {
  // Here a function is strict unless it says otherwise; elsewhere it is not.
  responses: (tool) => describe({ type: "function" }, { ...tool, strict: tool.strict ?? false }),
  chatCompletions: (tool) => ({ type: "function", function: describe({}, tool) }),
  // Here a schema must be there, and the other two may not be null.
  messages: ({ description, name, parameters, strict }) => {
    const members: Members = {}
    if (name !== undefined) members.name = name
    if (description !== undefined && description !== null) members.description = description
    members.input_schema = parameters ?? noParameters
    if (strict !== undefined && strict !== null) members.strict = strict
    return members
  }
}

/** Whether an endpoint can hold calls to a schema: `strict` is refused where it cannot. */
const canBeStrict: Readonly<Record<Format, (schema: Json) => boolean>> = {
  responses: (schema) => closeSchema(schema) !== undefined && isAllRequired(schema),
  chatCompletions: (schema) => closeSchema(schema) !== undefined && isAllRequired(schema),
  messages: (schema) => closeSchema(schema)?.isChanged === false
}

const isStrict = ({ parameters, strict }: FunctionTool, format: Format): boolean =>
  strict === true && isObject(parameters) && !canBeStrict[format](parameters)

/** A tool in the words of a format; undefined where that has none for it. */
interface SaidTool {
  readonly tool: Json | undefined
  readonly lost: ReadonlyArray<Lost>
}

const sayFunction = (
  read: FunctionTool,
  { format, isGateway, place }: Direction & { readonly place: number }
): SaidTool => {
  const lost: Array<Lost> = []
  const lose = (name: string, reason: string) =>
    lost.push({ field: `tools.${place}.${name}`, reason })
  const isLoose = isStrict(read, format)
  if (isLoose) lose("strict", "its schema is not strict enough for the format of the request")
  const written = write[format](isLoose ? { ...read, strict: false } : read)
  if (isGateway) return { tool: { ...read.rest, ...read.inside, ...written }, lost }
  for (const name of Object.keys(read.rest ?? {})) lose(name, noWords)
  for (const name of Object.keys(read.inside ?? {})) lose(`function.${name}`, noWords)
  return { tool: written, lost }
}

const toolIn = (tool: Json, direction: Direction & { readonly place: number }): SaidTool => {
  const { format, isGateway, place } = direction
  if (!isObject(tool)) return { tool, lost: [] }
  const lose = (reason: string): SaidTool => ({
    tool: undefined,
    lost: [{ field: `tools.${place}`, reason }]
  })
  const text = readFreeText(tool)
  if (text !== undefined) {
    const written = writeFreeText[format]?.(text)
    return written === undefined ? lose(noFreeText) : { tool: written, lost: [] }
  }
  const read = readFunction(tool)
  if (read !== undefined) return sayFunction(read, direction)
  return isGateway ? { tool, lost: [] } : lose(noSuchTool)
}

const readTools = (config: JsonObject): ReadonlyArray<Json> | undefined => {
  const found = own(config, "tools")
  return Array.isArray(found) ? found : undefined
}

interface Direction extends Surroundings {
  readonly format: Format
}

const sayTools =
  (format: Format) =>
  (found: ReadonlyArray<Json>, { isGateway }: Surroundings): Said => {
    const written = found.map((tool, place) => toolIn(tool, { format, isGateway, place }))
    const lost = written.flatMap((each) => each.lost)
    const left = written.flatMap(({ tool }) => (tool === undefined ? [] : [tool]))
    return partly(left.length === 0 && found.length > 0 ? {} : { tools: left }, lost)
  }

const noFreeText = "the format of the request has no tools that take free text"

/** Only gateways run the same tools in every format. */
const noSuchTool = "it is run by whoever takes the format of the preset"

/** What may be called. */
export const tools: Idea<ReadonlyArray<Json>> = {
  fields: { responses: ["tools"], chatCompletions: ["tools"], messages: ["tools"] },
  read: { responses: readTools, chatCompletions: readTools, messages: readTools },
  say: {
    responses: sayTools("responses"),
    chatCompletions: sayTools("chatCompletions"),
    messages: sayTools("messages")
  }
}

/**
 * What identifies a tool: the name of a function; the type of a server tool, with its name where
 * it has one: several advisors, or several `mcp` servers, are several tools. A tool of a messages
 * body is a function whose type may be left out, and one of a chat body keeps its name one level
 * down.
 */
export const identityOf = (tool: Json): string => {
  if (!isObject(tool)) return `=${JSON.stringify(tool)}`
  const type = own(tool, "type") ?? "custom"
  const isFunction = type === "function" || type === "custom"
  const name = isFunction
    ? (own(tool, "name") ?? within(tool, "function", "name") ?? within(tool, "custom", "name"))
    : (own(tool, "server_label") ?? within(tool, "parameters", "name"))
  if (isFunction && typeof name === "string") return `function ${name}`
  // As JSON: a name may be anything here, even an object that cannot be turned into text otherwise.
  return JSON.stringify([isFunction ? "function" : type, name ?? null])
}

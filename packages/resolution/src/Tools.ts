/**
 * The tools of a request. A function of the client is written in three shapes; tools that the
 * gateway runs are the same in all, because their kinds are not a closed list.
 */
import type { Format } from "./Format.ts"
import { type Idea, partly } from "./Idea.ts"
import { isObject, type Json, type JsonObject, own, within, without } from "./Json.ts"

/** A function of the client; `rest` has whatever else stands in the tool, if anything. */
interface FunctionTool {
  readonly name: Json | undefined
  readonly description: Json | undefined
  readonly parameters: Json | undefined
  readonly strict: Json | undefined
  readonly rest: JsonObject | undefined
}

/** The members of each shape that are read; a preset may have hundreds of tools. */
const inner = new Set(["type", "function"])
const flat = new Set(["type", "name", "description", "parameters", "strict"])
const custom = new Set(["type", "name", "description", "input_schema", "strict"])

const restOf = (tool: JsonObject, read: ReadonlySet<string>): JsonObject | undefined => {
  const names = Object.keys(tool).filter((name) => !read.has(name))
  if (names.length === 0) return undefined
  return Object.fromEntries(Object.entries(tool).filter(([name]) => !read.has(name)))
}

const functionOf = (
  object: JsonObject,
  { parameters, rest }: { readonly parameters: string; readonly rest: JsonObject | undefined }
): FunctionTool => ({
  name: own(object, "name"),
  description: own(object, "description"),
  parameters: own(object, parameters),
  strict: own(object, "strict"),
  rest
})

/** A tool as a function, whatever its shape; undefined for one that the gateway runs. */
const readFunction = (tool: JsonObject): FunctionTool | undefined => {
  const type = own(tool, "type") ?? "custom"
  if (type === "function") {
    const called = own(tool, "function")
    return isObject(called)
      ? functionOf(called, { parameters: "parameters", rest: restOf(tool, inner) })
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

/** Whether a format has words for a tool of another one. */
export const isSaid = (tool: Json, format: Format): boolean =>
  writeFreeText[format] !== undefined || !isObject(tool) || readFreeText(tool) === undefined

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

/** A tool in the words of a format; undefined where that has none for it. */
const toolIn =
  (format: Format) =>
  (tool: Json): Json | undefined => {
    if (!isObject(tool)) return tool
    const text = readFreeText(tool)
    if (text !== undefined) return writeFreeText[format]?.(text)
    const read = readFunction(tool)
    if (read === undefined) return tool
    const written = write[format](read)
    return read.rest === undefined ? written : { ...written, ...read.rest }
  }

const readTools = (config: JsonObject): ReadonlyArray<Json> | undefined => {
  const found = own(config, "tools")
  return Array.isArray(found) ? found : undefined
}

const sayTools = (format: Format) => (found: ReadonlyArray<Json>) => {
  const written = found.map(toolIn(format))
  const lost = written.flatMap((tool, place) =>
    tool === undefined ? [{ field: `tools.${place}`, reason: noFreeText }] : []
  )
  const left = written.filter((tool) => tool !== undefined)
  return partly(left.length === 0 && lost.length > 0 ? {} : { tools: left }, lost)
}

const noFreeText = "the format of the request has no tools that take free text"

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

/**
 * The tools of a request. A function of the client is written in three shapes; tools that the
 * gateway runs are the same in all, because their kinds are not a closed list.
 */
import type { Format } from "./Format.ts"
import { type Idea, whole } from "./Idea.ts"
import { isObject, type Json, type JsonObject, objectOf, own, within, without } from "./Json.ts"

/** A function of the client; `rest` has whatever else stands in the tool. */
interface FunctionTool {
  readonly name: Json | undefined
  readonly description: Json | undefined
  readonly parameters: Json | undefined
  readonly strict: Json | undefined
  readonly rest: JsonObject
}

const members = ["name", "description", "parameters", "strict"] as const

const functionOf = (object: JsonObject, parameters: string): Omit<FunctionTool, "rest"> => ({
  name: own(object, "name"),
  description: own(object, "description"),
  parameters: own(object, parameters),
  strict: own(object, "strict")
})

/** A tool as a function, whatever its shape; undefined for one that the gateway runs. */
const readFunction = (tool: JsonObject): FunctionTool | undefined => {
  const type = own(tool, "type") ?? "custom"
  const inner = own(tool, "function")
  if (type === "function" && isObject(inner)) {
    return { ...functionOf(inner, "parameters"), rest: without(tool, ["type", "function"]) }
  }
  if (type === "function") {
    return { ...functionOf(tool, "parameters"), rest: without(tool, ["type", ...members]) }
  }
  if (type !== "custom" || own(tool, "input_schema") === undefined) return undefined
  const names = ["type", "input_schema", "name", "description", "strict"]
  return { ...functionOf(tool, "input_schema"), rest: without(tool, names) }
}

const write: Readonly<Record<Format, (tool: FunctionTool) => JsonObject>> = {
  responses: ({ rest, ...described }) => ({ type: "function", ...objectOf(described), ...rest }),
  chatCompletions: ({ rest, ...described }) => ({
    type: "function",
    function: objectOf(described),
    ...rest
  }),
  // Here a schema must be there, and the other two may not be null.
  messages: ({ description, name, parameters, rest, strict }) => ({
    ...objectOf({
      name,
      description: description ?? undefined,
      input_schema: parameters ?? { type: "object", properties: {} },
      strict: strict ?? undefined
    }),
    ...rest
  })
}

const toolIn = (format: Format) => (tool: Json) => {
  const read = isObject(tool) ? readFunction(tool) : undefined
  return read === undefined ? tool : write[format](read)
}

const readTools = (config: JsonObject): ReadonlyArray<Json> | undefined => {
  const found = own(config, "tools")
  return Array.isArray(found) ? found : undefined
}

const sayTools = (format: Format) => (found: ReadonlyArray<Json>) =>
  whole({ tools: found.map(toolIn(format)) })

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
  if (!isObject(tool)) return JSON.stringify(tool)
  const type = own(tool, "type") ?? "custom"
  const isFunction = type === "function" || type === "custom"
  const name = isFunction
    ? (own(tool, "name") ?? within(tool, "function", "name"))
    : (own(tool, "server_label") ?? within(tool, "parameters", "name"))
  // As JSON: a name may be anything here, even an object that cannot be turned into text otherwise.
  return JSON.stringify([isFunction ? "function" : type, name ?? null])
}

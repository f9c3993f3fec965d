/** Maps the tool choice and parallel tool calls. */
import {
  type FieldMapping,
  lossOf,
  partly,
  type Surroundings,
  type Written,
  whole
} from "./FieldMapping.ts"
import { isObject, type Json, type JsonObject, nonNull, objectOf, own, within } from "./Json.ts"

/** A tool choice: a keyword, a function's name, or any other value, which stays unchanged. */
interface Choice {
  readonly field: string
  readonly all?: "auto" | "none" | "required" | undefined
  readonly name?: string | undefined
  readonly other?: Json | undefined
  readonly isParallel?: boolean | undefined
}

const words = ["auto", "none", "required"] as const

const wordOf = (value: Json | undefined): Choice["all"] => words.find((word) => word === value)

const nameIn = (value: Json | undefined): string | undefined => {
  if (!isObject(value) || own(value, "type") !== "function") return undefined
  const name = own(value, "name") ?? within(value, "function", "name")
  return typeof name === "string" ? name : undefined
}

const ofOpenAi = (config: JsonObject): Choice | undefined => {
  const choice = nonNull(config, "tool_choice")
  const parallel = own(config, "parallel_tool_calls")
  const isParallel = typeof parallel === "boolean" ? parallel : undefined
  if (choice === undefined && isParallel === undefined) return undefined
  const [all, name] = [wordOf(choice), nameIn(choice)]
  return {
    field: choice === undefined ? "parallel_tool_calls" : "tool_choice",
    all,
    name,
    other: all === undefined && name === undefined ? choice : undefined,
    isParallel
  }
}

const ofMessages = (config: JsonObject): Choice | undefined => {
  const choice = nonNull(config, "tool_choice")
  if (!isObject(choice)) return undefined
  const [type, name] = [own(choice, "type"), own(choice, "name")]
  const single = own(choice, "disable_parallel_tool_use")
  const isParallel = typeof single === "boolean" ? !single : undefined
  const all = type === "any" ? "required" : wordOf(type)
  const one = type === "tool" && typeof name === "string" ? name : undefined
  if (all === undefined && one === undefined && isParallel === undefined) return undefined
  return { field: "tool_choice", all, name: one, isParallel }
}

/** Moves a tool's name one level deeper, where chats expect it. */
const deepen = (tool: Json): Json => {
  if (!isObject(tool)) return tool
  const [type, name] = [own(tool, "type"), own(tool, "name")]
  const isNamed = type === "function" || type === "custom"
  return isNamed && name !== undefined ? { type, [type]: { name } } : tool
}

const flatten = (tool: Json): Json => {
  if (!isObject(tool)) return tool
  const type = own(tool, "type")
  const inside = typeof type === "string" ? own(tool, type) : undefined
  return type !== undefined && isObject(inside) ? { type, ...inside } : tool
}

/** Moves the names in a choice among several tools one level deeper. */
const toChat = (other: JsonObject): JsonObject | undefined => {
  if (own(other, "type") === "custom") return deepen(other) as JsonObject
  if (own(other, "type") !== "allowed_tools") return undefined
  const tools = own(other, "tools")
  if (!Array.isArray(tools)) return other
  const allowed = objectOf({ mode: own(other, "mode"), tools: tools.map(deepen) })
  return { type: "allowed_tools", allowed_tools: allowed }
}

const toResponses = (other: JsonObject): JsonObject => {
  if (own(other, "type") !== "allowed_tools") return flatten(other) as JsonObject
  const allowed = own(other, "allowed_tools")
  if (!isObject(allowed)) return other
  const tools = own(allowed, "tools")
  const flat = objectOf({ tools: Array.isArray(tools) ? tools.map(flatten) : tools })
  return { type: "allowed_tools", ...allowed, ...flat }
}

const otherIn = (other: Json | undefined, write: (other: JsonObject) => Json | undefined) =>
  isObject(other) ? write(other) : other

const inResponses = ({ all, isParallel, name, other }: Choice): Written => {
  const one = name === undefined ? otherIn(other, toResponses) : { type: "function", name }
  return whole(objectOf({ tool_choice: all ?? one, parallel_tool_calls: isParallel }))
}

/** In chats, only gateways let a request choose tools that have no name. */
const inChat = (
  { all, field, isParallel, name, other }: Choice,
  { isGateway }: Surroundings
): Written => {
  const written = otherIn(other, toChat) ?? (isGateway ? other : undefined)
  const one = name === undefined ? written : { type: "function", function: { name } }
  const fields = objectOf({ tool_choice: all ?? one, parallel_tool_calls: isParallel })
  return partly(fields, written === undefined ? lossOf(field, other) : [])
}

const wordsOfMessages = { auto: "auto", none: "none", required: "any" } as const

const inMessages = ({ all, field, isParallel, name, other }: Choice): Written => {
  const lost = lossOf(field, other)
  if (other !== undefined && isParallel !== false) return partly({}, lost)
  const type = name === undefined ? wordsOfMessages[all ?? "auto"] : "tool"
  // Parallel calls are the default in the messages format, so this member is written only to
  // disable them, and never together with `none`.
  const single = isParallel === false && type !== "none" ? true : undefined
  const tool_choice = objectOf({ type, name, disable_parallel_tool_use: single })
  return partly({ tool_choice }, lost)
}

const openAi = ["tool_choice", "parallel_tool_calls"]

/** Maps the tool choice and parallel tool calls. */
export const toolChoice: FieldMapping<Choice> = {
  fields: { responses: openAi, chatCompletions: openAi, messages: ["tool_choice"] },
  read: { responses: ofOpenAi, chatCompletions: ofOpenAi, messages: ofMessages },
  write: { responses: inResponses, chatCompletions: inChat, messages: inMessages }
}

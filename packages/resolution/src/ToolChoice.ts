/**
 * Which tools may or must be called, and whether several of them at once.
 */
import { type Idea, nothing, type Said, whole } from "./Idea.ts"
import { isObject, type Json, type JsonObject, objectOf, own, said, within } from "./Json.ts"

/** A choice: a word for all tools, one function by its name, or anything else as it was sent. */
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
  const choice = said(config, "tool_choice")
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
  const choice = said(config, "tool_choice")
  if (!isObject(choice)) return undefined
  const [type, name] = [own(choice, "type"), own(choice, "name")]
  const single = own(choice, "disable_parallel_tool_use")
  return {
    field: "tool_choice",
    all: type === "any" ? "required" : wordOf(type),
    name: type === "tool" && typeof name === "string" ? name : undefined,
    isParallel: typeof single === "boolean" ? !single : undefined
  }
}

/** A choice among some tools stands one level deeper in a chat. */
const members = ["mode", "tools"] as const

const toChat = (other: Json | undefined): Json | undefined => {
  if (!isObject(other) || own(other, "type") !== "allowed_tools") return other
  if (own(other, "mode") === undefined) return other
  const allowed = objectOf(Object.fromEntries(members.map((name) => [name, own(other, name)])))
  return { type: "allowed_tools", allowed_tools: allowed }
}

const toResponses = (other: Json | undefined): Json | undefined => {
  if (!isObject(other) || own(other, "type") !== "allowed_tools") return other
  const allowed = own(other, "allowed_tools")
  return isObject(allowed) ? { type: "allowed_tools", ...allowed } : other
}

const inResponses = ({ all, isParallel, name, other }: Choice): Said =>
  whole(
    objectOf({
      tool_choice: all ?? (name === undefined ? toResponses(other) : { type: "function", name }),
      parallel_tool_calls: isParallel
    })
  )

const inChat = ({ all, isParallel, name, other }: Choice): Said => {
  const one = name === undefined ? toChat(other) : { type: "function", function: { name } }
  return whole(objectOf({ tool_choice: all ?? one, parallel_tool_calls: isParallel }))
}

const wordsOfMessages = { auto: "auto", none: "none", required: "any" } as const

const inMessages = ({ all, field, isParallel, name, other }: Choice, hasTools: boolean): Said => {
  if (other !== undefined) return nothing(field, "only one tool, or all, can be chosen")
  if (!hasTools) return nothing(field, "there are no tools to choose from")
  const type = name === undefined ? wordsOfMessages[all ?? "auto"] : "tool"
  // To call tools side by side is the rule there; only the exception is said, and never of none.
  const single = isParallel === false && type !== "none" ? true : undefined
  return whole({ tool_choice: objectOf({ type, name, disable_parallel_tool_use: single }) })
}

const openAi = ["tool_choice", "parallel_tool_calls"]

/** Which tools may or must be called. */
export const toolChoice: Idea<Choice> = {
  fields: { responses: openAi, chatCompletions: openAi, messages: ["tool_choice"] },
  read: { responses: ofOpenAi, chatCompletions: ofOpenAi, messages: ofMessages },
  say: {
    responses: inResponses,
    chatCompletions: inChat,
    messages: (choice, { hasTools }) => inMessages(choice, hasTools)
  }
}

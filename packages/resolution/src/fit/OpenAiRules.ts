/**
 * The chat and Responses endpoints' rules on combinations of fields, from their public references.
 */
import { isObject, type Json, numberOf, own, within } from "../Json.ts"
import { choiceAmongTools, type Fields, isNone, listIn, type Rule } from "./Rule.ts"

const chat = "Chat Completions API reference"
const responses = "Responses API reference"

/** Types of tools that a tool choice selects by name; other tools are selected by type. */
const namedTypes = ["function", "custom"] as const

/** Reads the type and name of a tool or tool choice; returns undefined without a name. */
const calledIn = (value: Json): string | undefined => {
  if (!isObject(value)) return undefined
  const type = namedTypes.find((each) => each === own(value, "type"))
  const name = type && (own(value, "name") ?? within(value, type, "name"))
  return typeof name === "string" ? `${type} ${name}` : undefined
}

/** Returns all tools that a tool choice names. */
const chosenBy = (choice: Json | undefined): ReadonlyArray<Json> => {
  if (!isObject(choice)) return []
  const some = own(choice, "tools") ?? within(choice, "allowed_tools", "tools")
  return Array.isArray(some) ? some : [choice]
}

const isAmongTools = (fields: Fields): boolean => {
  const tools = listIn(fields, "tools")
  if (tools.length === 0) return false
  const named = chosenBy(fields.get("tool_choice")).flatMap((each) => calledIn(each) ?? [])
  if (named.length === 0) return true
  const known = new Set(tools.map(calledIn))
  return named.every((name) => known.has(name))
}

/** The maximum number of stop sequences in a chat. */
const stopMax = 4

/** The lowest token limit that endpoints accept. */
const tokenMin = 16

/** The rules of the chat endpoint. */
export const chatRules: ReadonlyArray<Rule> = [
  {
    source: chat,
    says: `stop has 1 to ${stopMax} sequences`,
    fields: ["stop"],
    isBroken: (fields) => {
      const stops = fields.get("stop")
      return Array.isArray(stops) && (stops.length === 0 || stops.length > stopMax)
    },
    mends: [
      {
        field: "stop",
        fitted: (fields) => {
          const stops = listIn(fields, "stop").slice(0, stopMax)
          return stops.length === 0 ? undefined : stops
        }
      }
    ]
  },
  choiceAmongTools(chat, isAmongTools),
  {
    source: chat,
    says: "parallel_tool_calls needs tools",
    fields: ["parallel_tool_calls", "tools"],
    isBroken: (fields) =>
      !isNone(fields.get("parallel_tool_calls")) && listIn(fields, "tools").length === 0,
    mends: [{ field: "parallel_tool_calls" }]
  },
  {
    source: chat,
    says: "top_logprobs needs logprobs",
    fields: ["top_logprobs", "logprobs"],
    isBroken: (fields) => !isNone(fields.get("top_logprobs")) && fields.get("logprobs") !== true,
    mends: [{ field: "top_logprobs" }]
  }
]

/** The rules of the Responses endpoint. */
export const responsesRules: ReadonlyArray<Rule> = [
  {
    source: responses,
    says: `max_output_tokens is ${tokenMin} at least`,
    fields: ["max_output_tokens"],
    isBroken: (fields) => (numberOf(fields.get("max_output_tokens")) ?? tokenMin) < tokenMin,
    mends: [{ field: "max_output_tokens", fitted: () => tokenMin }]
  },
  choiceAmongTools(responses, isAmongTools)
]

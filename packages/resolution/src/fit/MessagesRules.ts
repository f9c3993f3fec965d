/** The messages endpoint's rules on combinations of fields, from its public reference. */
import { isObject, type Json, numberOf, objectOf, own, without } from "../Json.ts"
import { choiceAmongTools, type Fields, isNone, listIn, memberOf, type Rule } from "./Rule.ts"

const reference = "Messages API reference"
const guide = "guide to extended thinking"

const thinkingTypes = new Set<Json | undefined>(["enabled", "adaptive"])

const isThinking = (fields: Fields): boolean =>
  thinkingTypes.has(memberOf(fields, "thinking", "type"))

/** The minimum thinking budget in tokens. */
const budgetMin = 1024

const budgetOf = (fields: Fields): number | undefined =>
  memberOf(fields, "thinking", "type") === "enabled"
    ? numberOf(memberOf(fields, "thinking", "budget_tokens"))
    : undefined

const thinkUpTo = (budget: number): Json | undefined =>
  budget < budgetMin ? undefined : { type: "enabled", budget_tokens: budget }

const maxTokens = (fields: Fields): number => numberOf(fields.get("max_tokens")) ?? Infinity

const forced = new Set<Json | undefined>(["any", "tool"])

const choiceType = (fields: Fields): Json | undefined => memberOf(fields, "tool_choice", "type")

/** Whether the tool choice names one of the request's tools. */
const isAmongTools = (fields: Fields): boolean => {
  const tools = listIn(fields, "tools")
  if (choiceType(fields) !== "tool") return tools.length > 0
  const name = memberOf(fields, "tool_choice", "name")
  return tools.some((tool) => isObject(tool) && own(tool, "name") === name)
}

const isBlank = (text: Json): boolean => typeof text === "string" && text.trim() === ""

/** Whether the request already contains the start of the answer. */
const isBegun = (fields: Fields): boolean => {
  const last = listIn(fields, "messages").at(-1)
  return isObject(last) && own(last, "role") === "assistant"
}

const withoutFormat = (fields: Fields): Json | undefined => {
  const config = fields.get("output_config")
  const rest = isObject(config) ? without(config, ["format"]) : {}
  return Object.keys(rest).length === 0 ? undefined : rest
}

/**
 * The rules, in the order in which violations are fixed. Rules that can turn off thinking come
 * first.
 */
export const messagesRules: ReadonlyArray<Rule> = [
  {
    source: reference,
    says: "temperature is 1 at most",
    fields: ["temperature"],
    isBroken: (fields) => (numberOf(fields.get("temperature")) ?? 0) > 1,
    mends: [{ field: "temperature", fitted: () => 1 }]
  },
  {
    source: reference,
    says: "a stop sequence is more than white space",
    fields: ["stop_sequences"],
    isBroken: (fields) => listIn(fields, "stop_sequences").some(isBlank),
    mends: [
      {
        field: "stop_sequences",
        fitted: (fields) => {
          const stops = listIn(fields, "stop_sequences").filter((text) => !isBlank(text))
          return stops.length === 0 ? undefined : stops
        }
      }
    ]
  },
  choiceAmongTools(reference, isAmongTools),
  {
    source: guide,
    says: "no tool is forced while the model thinks",
    fields: ["thinking", "tool_choice"],
    isBroken: (fields) => isThinking(fields) && forced.has(choiceType(fields)),
    mends: [
      { field: "thinking" },
      {
        field: "tool_choice",
        fitted: (fields) => {
          const single = memberOf(fields, "tool_choice", "disable_parallel_tool_use")
          return objectOf({ type: "auto", disable_parallel_tool_use: single })
        }
      }
    ]
  },
  {
    source: guide,
    says: "no answer is begun while the model thinks",
    fields: ["thinking", "messages"],
    isBroken: (fields) => isThinking(fields) && isBegun(fields),
    mends: [{ field: "thinking" }]
  },
  {
    source: "guide to structured outputs",
    says: "no answer is begun that has a schema",
    fields: ["output_config", "messages"],
    isBroken: (fields) => !isNone(memberOf(fields, "output_config", "format")) && isBegun(fields),
    mends: [{ field: "output_config", fitted: withoutFormat }]
  },
  {
    source: reference,
    says: `the budget of thinking is ${budgetMin} at least`,
    fields: ["thinking"],
    isBroken: (fields) => (budgetOf(fields) ?? budgetMin) < budgetMin,
    mends: [{ field: "thinking", fitted: () => thinkUpTo(budgetMin) }]
  },
  {
    source: reference,
    says: "the budget of thinking is below max_tokens",
    fields: ["thinking", "max_tokens"],
    isBroken: (fields) => (budgetOf(fields) ?? 0) >= maxTokens(fields),
    mends: [
      // First fix: set the budget to half of the limit, so that the other half is left for the
      // answer.
      {
        field: "thinking",
        fitted: (fields) => thinkUpTo(Math.floor(maxTokens(fields) / 2))
      },
      // Second fix: add the budget to the limit, because the limit was set for an answer without
      // thinking.
      { field: "max_tokens", fitted: (fields) => maxTokens(fields) + (budgetOf(fields) ?? 0) }
    ]
  },
  {
    source: guide,
    says: "temperature is 1 while the model thinks",
    fields: ["thinking", "temperature"],
    isBroken: (fields) => isThinking(fields) && (numberOf(fields.get("temperature")) ?? 1) !== 1,
    mends: [{ field: "temperature" }, { field: "thinking" }]
  },
  {
    source: guide,
    says: "top_k is left out while the model thinks",
    fields: ["thinking", "top_k"],
    isBroken: (fields) => isThinking(fields) && !isNone(fields.get("top_k")),
    mends: [{ field: "top_k" }, { field: "thinking" }]
  },
  {
    source: guide,
    says: "top_p is 0.95 or more while the model thinks",
    fields: ["thinking", "top_p"],
    isBroken: (fields) => isThinking(fields) && (numberOf(fields.get("top_p")) ?? 1) < 0.95,
    mends: [{ field: "top_p" }, { field: "thinking" }]
  }
]

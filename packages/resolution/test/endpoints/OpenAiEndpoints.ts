/**
 * The rules of the chat and Responses endpoints for requests, taken from the provider's reference.
 */
import type { Json, JsonObject } from "#src/index"
import {
  type EndpointRule,
  flatName,
  isClosed,
  isComplete,
  isGiven,
  list,
  object,
  within
} from "./Reading.ts"

const chatName = (tool: Json): Json | undefined => {
  const { custom, function: called, type } = object(tool)
  return type === "custom" ? object(custom).name : object(called).name
}

const choosesKnown = (
  { tool_choice: choice, tools }: JsonObject,
  nameOf: (tool: Json) => Json | undefined
): boolean => {
  if (!isGiven(choice)) return true
  const { allowed_tools, tools: allowed, type } = object(choice)
  const chosen =
    type === "allowed_tools" ? list(allowed ?? object(allowed_tools).tools) : [choice ?? null]
  const kind = (tool: Json) => [object(tool).type, nameOf(tool)].join(" ")
  const known = new Set(list(tools).map(kind))
  const named = chosen.filter((tool) => ["function", "custom"].includes(String(object(tool).type)))
  return known.size > 0 && named.every((tool) => known.has(kind(tool)))
}

const chat = "Chat Completions API reference"
const responses = "Responses API reference"
const functionGuide = "guide to function calling"

export const chatEndpoint: ReadonlyArray<EndpointRule> = [
  {
    source: chat,
    rule: "temperature must be from 0 to 2, and top_p from 0 to 1",
    holds: ({ temperature, top_p }) => within(temperature, 0, 2) && within(top_p, 0, 1)
  },
  {
    source: chat,
    rule: "stop must be a string, or 1 to 4 strings",
    holds: ({ stop }) => !Array.isArray(stop) || (stop.length > 0 && stop.length <= 4)
  },
  {
    source: chat,
    rule: "only one of the two token limits can be set",
    holds: ({ max_completion_tokens: one, max_tokens: other }) => !(isGiven(one) && isGiven(other))
  },
  {
    source: chat,
    rule: "a tool choice must name one of the tools",
    holds: (request) => choosesKnown(request, chatName)
  },
  {
    source: chat,
    rule: "parallel calls require tools",
    holds: ({ parallel_tool_calls: parallel, tools }) =>
      !isGiven(parallel) || list(tools).length > 0
  },
  {
    source: functionGuide,
    rule: "a strict function must have a closed schema that requires all properties",
    holds: ({ tools }) =>
      list(tools).every((tool) => {
        const { parameters, strict } = object(object(tool).function)
        return strict !== true || (isClosed(parameters) && isComplete(parameters))
      })
  },
  {
    source: chat,
    rule: "top_logprobs requires logprobs",
    holds: ({ logprobs, top_logprobs }) => !isGiven(top_logprobs) || logprobs === true
  }
]

export const responsesEndpoint: ReadonlyArray<EndpointRule> = [
  {
    source: responses,
    rule: "temperature must be from 0 to 2, and top_p from 0 to 1",
    holds: ({ temperature, top_p }) => within(temperature, 0, 2) && within(top_p, 0, 1)
  },
  {
    source: responses,
    rule: "max_output_tokens must be at least 16",
    holds: ({ max_output_tokens: tokens }) => within(tokens, 16, Infinity)
  },
  {
    source: responses,
    rule: "a tool choice must name one of the tools",
    holds: (request) => choosesKnown(request, flatName)
  },
  {
    source: functionGuide,
    rule: "a strict function must have a closed schema that requires all properties",
    holds: ({ tools }) =>
      list(tools).every((tool) => {
        const { parameters, strict } = object(tool)
        return strict !== true || (isClosed(parameters) && isComplete(parameters))
      })
  }
]

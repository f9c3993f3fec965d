/** The rules of the messages endpoint for requests, taken from the provider's reference. */
import type { JsonObject } from "#src/index"
import { type EndpointRule, flatName, isClosed, isGiven, list, object, within } from "./Reading.ts"

const thinks = ({ thinking }: JsonObject): boolean =>
  ["enabled", "adaptive"].includes(String(object(thinking).type))

const isBegun = ({ messages }: JsonObject): boolean =>
  object(list(messages).at(-1)).role === "assistant"

const messages = "Messages API reference"
const thinkingGuide = "guide to extended thinking"
const outputGuide = "guide to structured outputs"

export const messagesEndpoint: ReadonlyArray<EndpointRule> = [
  {
    source: messages,
    rule: "temperature and top_p must be from 0 to 1",
    holds: ({ temperature, top_p }) => within(temperature, 0, 1) && within(top_p, 0, 1)
  },
  {
    source: messages,
    rule: "a stop sequence must not be only white space",
    holds: ({ stop_sequences }) => list(stop_sequences).every((text) => /\S/.test(String(text)))
  },
  {
    source: messages,
    rule: "a thinking budget must be at least 1024 and below max_tokens",
    holds: ({ max_tokens, thinking }) => {
      const { budget_tokens: budget, type } = object(thinking)
      if (type !== "enabled") return true
      return Number(budget) >= 1024 && (!isGiven(max_tokens) || Number(budget) < Number(max_tokens))
    }
  },
  {
    source: thinkingGuide,
    rule: "thinking requires a temperature of 1, no top_k, and a top_p of at least 0.95",
    holds: (request) =>
      !thinks(request) ||
      (within(request.temperature, 1, 1) &&
        !isGiven(request.top_k) &&
        within(request.top_p, 0.95, 1))
  },
  {
    source: thinkingGuide,
    rule: "thinking excludes a forced tool and a started answer",
    holds: (request) =>
      !thinks(request) ||
      (!["any", "tool"].includes(String(object(request.tool_choice).type)) && !isBegun(request))
  },
  {
    source: messages,
    rule: "a tool choice must name one of the tools",
    holds: ({ tool_choice: choice, tools }) => {
      if (!isGiven(choice)) return true
      const { name, type } = object(choice)
      return (
        list(tools).length > 0 &&
        (type !== "tool" ||
          list(tools)
            .map(flatName)
            .includes(name ?? null))
      )
    }
  },
  {
    source: messages,
    rule: "a tool choice of none excludes a setting for parallel calls",
    holds: ({ tool_choice: choice }) =>
      object(choice).type !== "none" || object(choice).disable_parallel_tool_use === undefined
  },
  {
    source: messages,
    rule: "tool names must be unique",
    holds: ({ tools }) => {
      const names = list(tools).map(flatName)
      return new Set(names).size === names.length
    }
  },
  {
    source: outputGuide,
    rule: "a schema must be closed and without limits, and excludes a started answer",
    holds: (request) => {
      const { format } = object(request.output_config)
      const { schema, type } = object(format)
      if (!isGiven(format)) return true
      const isLimited = /"(minimum|maximum|minLength|maxLength)"/.test(JSON.stringify(schema))
      return type === "json_schema" && isClosed(schema) && !isLimited && !isBegun(request)
    }
  },
  {
    source: outputGuide,
    rule: "a strict tool must have a closed schema",
    holds: ({ tools }) =>
      list(tools).every(
        (tool) => object(tool).strict !== true || isClosed(object(tool).input_schema)
      )
  }
]

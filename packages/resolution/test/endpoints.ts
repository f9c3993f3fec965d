/**
 * What the makers of the three formats say that their endpoints take, for single fields and for
 * fields together. Written from their references, apart from the rules that presets are fitted by.
 */
import type { Format, Json, JsonObject } from "#src/index"

/** A rule of an endpoint. */
export interface EndpointRule {
  /** Where it is said. */
  readonly source: string
  readonly rule: string
  readonly holds: (request: JsonObject) => boolean
}

const object = (value: Json | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

const list = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

const within = (value: Json | undefined, min: number, max: number): boolean =>
  value === undefined || value === null || (Number(value) >= min && Number(value) <= max)

const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null

const has = (value: Json | undefined, among: ReadonlyArray<Json>): boolean =>
  !isGiven(value) || among.includes(value ?? null)

const onlyFields = (request: JsonObject, names: string): boolean =>
  Object.keys(request).every((name) => names.split(" ").includes(name))

/** Every schema within a schema, itself included. */
const schemasIn = (schema: Json | undefined): ReadonlyArray<JsonObject> => {
  const { anyOf, items, properties } = object(schema)
  const inner = [...Object.values(object(properties)), ...list(anyOf), ...(items ? [items] : [])]
  return [object(schema), ...inner.flatMap(schemasIn)]
}

const isClosed = (schema: Json | undefined): boolean =>
  schemasIn(schema).every(
    ({ additionalProperties, type }) => type !== "object" || additionalProperties === false
  )

const isComplete = (schema: Json | undefined): boolean =>
  schemasIn(schema).every(({ properties, required }) =>
    Object.keys(object(properties)).every((name) => list(required).includes(name))
  )

const thinks = ({ thinking }: JsonObject): boolean =>
  ["enabled", "adaptive"].includes(String(object(thinking).type))

const isBegun = ({ messages }: JsonObject): boolean =>
  object(list(messages).at(-1)).role === "assistant"

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh"]

const chatName = (tool: Json): Json | undefined => {
  const { custom, function: called, type } = object(tool)
  return type === "custom" ? object(custom).name : object(called).name
}

const flatName = (tool: Json): Json | undefined => object(tool).name

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
const messages = "Messages API reference"
const thinkingGuide = "guide to extended thinking"
const outputGuide = "guide to structured outputs"
const functionGuide = "guide to function calling"

/** The rules, by endpoint. */
export const endpointRules: Readonly<Record<Format, ReadonlyArray<EndpointRule>>> = {
  messages: [
    {
      source: messages,
      rule: "has these fields",
      holds: (request) =>
        onlyFields(
          request,
          "model messages max_tokens system temperature top_k top_p stop_sequences thinking " +
            "output_config tools tool_choice service_tier cache_control speed context_management"
        )
    },
    {
      source: messages,
      rule: "temperature and top_p are from 0 to 1",
      holds: ({ temperature, top_p }) => within(temperature, 0, 1) && within(top_p, 0, 1)
    },
    {
      source: messages,
      rule: "stop sequences are more than white space",
      holds: ({ stop_sequences }) => list(stop_sequences).every((text) => /\S/.test(String(text)))
    },
    {
      source: messages,
      rule: "a budget is at least 1024 and below max_tokens",
      holds: ({ max_tokens, thinking }) => {
        const { budget_tokens: budget, type } = object(thinking)
        if (type !== "enabled") return true
        return Number(budget) >= 1024 && (!isGiven(max_tokens) || Number(budget) < Number(max_tokens))
      }
    },
    {
      source: thinkingGuide,
      rule: "thinking goes with a temperature of 1, no top_k, a top_p of 0.95 or more",
      holds: (request) =>
        !thinks(request) ||
        (within(request.temperature, 1, 1) &&
          !isGiven(request.top_k) &&
          within(request.top_p, 0.95, 1))
    },
    {
      source: thinkingGuide,
      rule: "thinking goes with no forced tool and no begun answer",
      holds: (request) =>
        !thinks(request) ||
        (!["any", "tool"].includes(String(object(request.tool_choice).type)) && !isBegun(request))
    },
    {
      source: messages,
      rule: "a choice is among the tools",
      holds: ({ tool_choice: choice, tools }) => {
        if (!isGiven(choice)) return true
        const { name, type } = object(choice)
        return list(tools).length > 0 && (type !== "tool" || list(tools).map(flatName).includes(name ?? null))
      }
    },
    {
      source: messages,
      rule: "a choice of no tool says nothing of calls side by side",
      holds: ({ tool_choice: choice }) =>
        object(choice).type !== "none" || object(choice).disable_parallel_tool_use === undefined
    },
    {
      source: messages,
      rule: "names of tools are given once",
      holds: ({ tools }) => {
        const names = list(tools).map(flatName)
        return new Set(names).size === names.length
      }
    },
    {
      source: messages,
      rule: "a tool of the client has a schema, and one of the server a type of this format",
      holds: ({ tools }) =>
        list(tools).every((tool) => {
          const { input_schema: schema, type = "custom" } = object(tool)
          return type === "custom" ? object(schema).type === "object" : type !== "function"
        })
    },
    {
      source: outputGuide,
      rule: "a schema is closed, without limits, and no answer is begun for it",
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
      rule: "a strict tool has a closed schema",
      holds: ({ tools }) =>
        list(tools).every((tool) => object(tool).strict !== true || isClosed(object(tool).input_schema))
    },
    {
      source: messages,
      rule: "effort is low, medium, high, xhigh or max",
      holds: ({ output_config: config }) =>
        has(object(config).effort, ["low", "medium", "high", "xhigh", "max"])
    },
    {
      source: messages,
      rule: "the tier is auto or standard_only",
      holds: ({ service_tier: tier }) => has(tier, ["auto", "standard_only"])
    }
  ],
  chatCompletions: [
    {
      source: chat,
      rule: "has these fields",
      holds: (request) =>
        onlyFields(
          request,
          "model messages max_tokens max_completion_tokens temperature top_p stop seed tools " +
            "tool_choice parallel_tool_calls reasoning_effort verbosity response_format modalities " +
            "logprobs top_logprobs frequency_penalty service_tier"
        )
    },
    {
      source: chat,
      rule: "temperature is from 0 to 2, top_p from 0 to 1",
      holds: ({ temperature, top_p }) => within(temperature, 0, 2) && within(top_p, 0, 1)
    },
    {
      source: chat,
      rule: "stop is a text, or 1 to 4 of them",
      holds: ({ stop }) => !Array.isArray(stop) || (stop.length > 0 && stop.length <= 4)
    },
    {
      source: chat,
      rule: "one of the two limits is given",
      holds: ({ max_completion_tokens: one, max_tokens: other }) => !(isGiven(one) && isGiven(other))
    },
    {
      source: chat,
      rule: "a choice is among the tools",
      holds: (request) => choosesKnown(request, chatName)
    },
    {
      source: chat,
      rule: "calls side by side are calls of tools",
      holds: ({ parallel_tool_calls: parallel, tools }) =>
        !isGiven(parallel) || list(tools).length > 0
    },
    {
      source: chat,
      rule: "tools are functions, or take free text",
      holds: ({ tools }) =>
        list(tools).every((tool) => {
          const { custom, function: called, type, ...rest } = object(tool)
          const one = type === "function" ? called : type === "custom" ? custom : undefined
          return Object.keys(rest).length === 0 && typeof object(one).name === "string"
        })
    },
    {
      source: functionGuide,
      rule: "a strict function has a closed schema that requires all",
      holds: ({ tools }) =>
        list(tools).every((tool) => {
          const { parameters, strict } = object(object(tool).function)
          return strict !== true || (isClosed(parameters) && isComplete(parameters))
        })
    },
    {
      source: chat,
      rule: "likelihoods of others need those of the tokens",
      holds: ({ logprobs, top_logprobs }) => !isGiven(top_logprobs) || logprobs === true
    },
    {
      source: chat,
      rule: "effort and verbosity have these values",
      holds: ({ reasoning_effort: effort, verbosity }) =>
        has(effort, efforts) && has(verbosity, ["low", "medium", "high"])
    }
  ],
  responses: [
    {
      source: responses,
      rule: "has these fields",
      holds: (request) =>
        onlyFields(
          request,
          "model input instructions max_output_tokens temperature top_p top_logprobs tools " +
            "tool_choice parallel_tool_calls reasoning text truncation service_tier " +
            "frequency_penalty"
        )
    },
    {
      source: responses,
      rule: "temperature is from 0 to 2, top_p from 0 to 1",
      holds: ({ temperature, top_p }) => within(temperature, 0, 2) && within(top_p, 0, 1)
    },
    {
      source: responses,
      rule: "max_output_tokens is 16 at least",
      holds: ({ max_output_tokens: tokens }) => within(tokens, 16, Infinity)
    },
    {
      source: responses,
      rule: "a choice is among the tools",
      holds: (request) => choosesKnown(request, flatName)
    },
    {
      source: responses,
      rule: "tools are of a kind of this format, and functions have their name at hand",
      holds: ({ tools }) =>
        list(tools).every((tool) => {
          const { name, type } = object(tool)
          const isNamed = type === "function" || type === "custom"
          return isNamed ? typeof name === "string" : type === "web_search"
        })
    },
    {
      source: functionGuide,
      rule: "a strict function has a closed schema that requires all",
      holds: ({ tools }) =>
        list(tools).every((tool) => {
          const { parameters, strict } = object(tool)
          return strict !== true || (isClosed(parameters) && isComplete(parameters))
        })
    },
    {
      source: responses,
      rule: "reasoning has an effort and a summary",
      holds: ({ reasoning }) =>
        onlyFields(object(reasoning), "effort summary") && has(object(reasoning).effort, efforts)
    },
    {
      source: responses,
      rule: "a schema has a name",
      holds: ({ text }) => {
        const { name, type } = object(object(text).format)
        return type !== "json_schema" || typeof name === "string"
      }
    }
  ]
}

/** The rules that a request breaks. */
export const brokenBy = (format: Format, request: JsonObject): ReadonlyArray<string> =>
  endpointRules[format]
    .filter(({ holds }) => !holds(request))
    .map(({ rule, source }) => `${rule} (${source})`)

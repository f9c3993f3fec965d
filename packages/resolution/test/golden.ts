/**
 * One preset and one request in each format, and the result of resolving each pair for a gateway.
 */
import type { Format, Json, JsonObject } from "#src/index"

const only = (name: string) => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
  additionalProperties: false
})
const schema = only("city")
const answer = only("text")
const search = { type: "web_search", engine: "exa" }

/** The same preset in each format, as far as that format can express it. */
export const presets: Readonly<Record<Format, JsonObject>> = {
  responses: {
    model: "lab/m",
    temperature: 0.2,
    frequency_penalty: 0.5,
    max_output_tokens: 500,
    reasoning: { effort: "low", summary: "auto" },
    text: { format: { type: "json_schema", name: "reply", schema: answer }, verbosity: "low" },
    tools: [{ type: "function", name: "weather", parameters: schema, strict: true }, search],
    tool_choice: { type: "function", name: "weather" },
    parallel_tool_calls: false,
    truncation: "auto",
    service_tier: "default"
  },
  chatCompletions: {
    model: "lab/m",
    temperature: 0.2,
    frequency_penalty: 0.5,
    max_tokens: 500,
    reasoning_effort: "low",
    response_format: { type: "json_schema", json_schema: { name: "reply", schema: answer } },
    tools: [
      { type: "function", function: { name: "weather", parameters: schema, strict: true } },
      search
    ],
    tool_choice: { type: "function", function: { name: "weather" } },
    parallel_tool_calls: false,
    stop: "END",
    seed: 7,
    service_tier: "default"
  },
  messages: {
    model: "lab/m",
    temperature: 0.2,
    max_tokens: 500,
    output_config: { effort: "low", format: { type: "json_schema", schema: answer } },
    tools: [{ name: "weather", input_schema: schema, strict: true }, search],
    tool_choice: { type: "tool", name: "weather", disable_parallel_tool_use: true },
    stop_sequences: ["END"],
    service_tier: "standard_only"
  }
}

/** A request in each format, with a tool that replaces the preset's. */
export const requests: Readonly<Record<Format, JsonObject>> = {
  responses: {
    input: "Hi",
    temperature: 1,
    tools: [{ type: "function", name: "weather", parameters: null }]
  },
  chatCompletions: {
    messages: [{ role: "user", content: "Hi" }],
    temperature: 1,
    tools: [{ type: "function", function: { name: "weather" } }]
  },
  messages: {
    messages: [{ role: "user", content: "Hi" }],
    temperature: 1,
    tools: [{ name: "weather", input_schema: { type: "object" } }]
  }
}

/** A resolved request, and the preset's fields that it lacks. */
export interface Cell {
  readonly request: JsonObject
  readonly leftOut: ReadonlyArray<string>
}

const chatMessages: Json = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hi" }
]

const asked: Readonly<Record<Format, JsonObject>> = {
  responses: {
    instructions: "Be brief.",
    input: "Hi",
    temperature: 1,
    tools: [{ type: "function", name: "weather", parameters: null }, search]
  },
  chatCompletions: {
    messages: chatMessages,
    temperature: 1,
    tools: [{ type: "function", function: { name: "weather" } }, search]
  },
  messages: {
    system: "Be brief.",
    messages: [{ role: "user", content: "Hi" }],
    temperature: 1,
    tools: [{ name: "weather", input_schema: { type: "object" } }, search]
  }
}

const cell = (format: Format, added: JsonObject, ...leftOut: ReadonlyArray<string>): Cell => ({
  request: { ...added, ...asked[format] },
  leftOut
})

const model = { model: "lab/m" }
const penalty = { frequency_penalty: 0.5 }

const inResponses = {
  ...model,
  max_output_tokens: 500,
  tool_choice: { type: "function", name: "weather" },
  parallel_tool_calls: false,
  service_tier: "default"
}

const inChat = {
  ...model,
  tool_choice: { type: "function", function: { name: "weather" } },
  parallel_tool_calls: false,
  service_tier: "default"
}

const inMessages = {
  ...model,
  max_tokens: 500,
  tool_choice: { type: "tool", name: "weather", disable_parallel_tool_use: true },
  output_config: { effort: "low", format: { type: "json_schema", schema: answer } },
  service_tier: "standard_only"
}

const textOf = (name: string) => ({
  text: { format: { type: "json_schema", name, schema: answer } }
})

const responseFormat = (name: string) => ({
  response_format: { type: "json_schema", json_schema: { name, schema: answer } }
})

/** The expected results, by the preset's format and then by the request's format. */
export const golden: Readonly<Record<Format, Readonly<Record<Format, Cell>>>> = {
  responses: {
    responses: cell("responses", presets.responses),
    chatCompletions: cell(
      "chatCompletions",
      {
        ...inChat,
        ...penalty,
        ...responseFormat("reply"),
        max_completion_tokens: 500,
        reasoning: { effort: "low", summary: "auto" }
      },
      "text.verbosity",
      "truncation"
    ),
    messages: cell(
      "messages",
      inMessages,
      "frequency_penalty",
      "reasoning",
      "reasoning.summary",
      "text.format.name",
      "text.verbosity",
      "truncation"
    )
  },
  chatCompletions: {
    responses: cell(
      "responses",
      { ...inResponses, ...penalty, ...textOf("reply"), reasoning: { effort: "low" } },
      "stop",
      "seed"
    ),
    chatCompletions: cell("chatCompletions", presets.chatCompletions),
    messages: cell(
      "messages",
      { ...inMessages, stop_sequences: ["END"] },
      "frequency_penalty",
      "reasoning_effort",
      "response_format.json_schema.name",
      "seed"
    )
  },
  messages: {
    responses: cell(
      "responses",
      { ...inResponses, ...textOf("answer"), reasoning: { effort: "low" } },
      "stop_sequences"
    ),
    chatCompletions: cell("chatCompletions", {
      ...inChat,
      ...responseFormat("answer"),
      max_completion_tokens: 500,
      reasoning_effort: "low",
      stop: ["END"]
    }),
    messages: cell("messages", presets.messages)
  }
}

/** Generates presets and requests that their endpoints accept. */
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import type { Format, Json, JsonObject } from "#src/index"
import { brokenBy } from "./endpoints/brokenBy.ts"

const schema = (name: string): JsonObject => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
  additionalProperties: false
})
const loose: JsonObject = { type: "object", properties: { n: { type: "integer", minimum: 1 } } }
const map: JsonObject = { type: "object", additionalProperties: { type: "string" } }

const numbers = { temperature: [0, 0.2, 1, 1.7], top_p: [0.1, 0.95, 1] }

/**
 * Schemas that state no type, because the type follows from their position. Some programs write
 * schemas in this form.
 */
const typeless: ReadonlyArray<JsonObject> = [{}, { properties: { a: { type: "string" } } }]

const grammar = { syntax: "lark", definition: "start: /a/" }

const flat = (name: string, more: JsonObject = {}) => ({
  type: "function",
  name,
  parameters: null,
  strict: null,
  ...more
})
const flatChoice = (name: string) => ({ type: "function", name })
const deep = (name: string, more: JsonObject = {}) => ({
  type: "function",
  function: { name, ...more }
})

const words = ["none", "auto", "required"]
const efforts = [{ effort: "none" }, { effort: "low", summary: "auto" }, { effort: "xhigh" }]

/**
 * Values for each field, some of which match each other. A list of tools precedes the fields that
 * need it.
 */
const values: Readonly<Record<Format, Readonly<Record<string, ReadonlyArray<Json>>>>> = {
  responses: {
    ...numbers,
    max_output_tokens: [16, 1500, 9000],
    tools: [
      [flat("a", { parameters: schema("x"), strict: true }), { type: "web_search" }],
      [flat("b"), { type: "custom", name: "c" }],
      [{ type: "custom", name: "c", format: { type: "grammar", ...grammar } }],
      [
        flat("a", { description: null }),
        ...typeless.map((p, i) => flat(`t${i}`, { parameters: p }))
      ],
      [flat("a", { parameters: { type: null, properties: {} } })],
      [{ type: "mcp", server_label: "m", server_url: "https://x.test" }],
      []
    ],
    tool_choice: [
      ...words,
      flatChoice("a"),
      { type: "custom", name: "c" },
      {
        type: "allowed_tools",
        mode: "auto",
        tools: [flatChoice("b"), { type: "custom", name: "c" }]
      }
    ],
    parallel_tool_calls: [true, false],
    reasoning: efforts,
    text: [
      { verbosity: "low" },
      { format: { type: "json_schema", name: "n", schema: loose }, verbosity: "high" },
      { format: { type: "json_schema", name: "n", schema: map } }
    ],
    top_logprobs: [3],
    truncation: ["auto"],
    include: [["reasoning.encrypted_content"]],
    context_management: [[{ type: "compaction", compact_threshold: 1000 }]],
    prompt_cache_retention: ["24h"],
    prompt_cache_options: [{ mode: "explicit", ttl: "30m" }],
    max_tool_calls: [3],
    service_tier: ["flex", "default", "auto"]
  },
  chatCompletions: {
    ...numbers,
    max_tokens: [1, 1500, 9000],
    max_completion_tokens: [5, 9000],
    stop: ["END", "\n", [" ", "END"], ["a", "b", "c", "d"]],
    tools: [
      [deep("a", { parameters: schema("x"), strict: true })],
      [deep("b", { parameters: loose }), { type: "custom", custom: { name: "c" } }],
      [{ type: "custom", custom: { name: "c", format: { type: "grammar", grammar } } }],
      [deep("a"), ...typeless.map((parameters, i) => deep(`t${i}`, { parameters }))],
      [deep("a", { description: "d", strict: null, parameters: { type: null, properties: {} } })]
    ],
    tool_choice: [
      ...words,
      deep("a"),
      { type: "custom", custom: { name: "c" } },
      { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [deep("b")] } }
    ],
    parallel_tool_calls: [true, false],
    reasoning_effort: ["none", "minimal", "high"],
    verbosity: ["medium"],
    response_format: [
      { type: "json_object" },
      { type: "json_schema", json_schema: { name: "n", schema: loose } },
      { type: "json_schema", json_schema: { name: "n", schema: map } }
    ],
    modalities: [["text"], ["text", "audio"]],
    audio: [{ voice: "alloy", format: "wav" }],
    web_search_options: [{ search_context_size: "low" }],
    functions: [[{ name: "old" }]],
    function_call: ["auto"],
    prompt_cache_retention: ["24h"],
    logprobs: [true, false],
    top_logprobs: [3],
    seed: [7],
    frequency_penalty: [0.5],
    presence_penalty: [-1],
    logit_bias: [{ "50256": -100 }],
    service_tier: ["flex", "default", "auto"]
  },
  messages: {
    max_tokens: [1, 1500, 9000],
    thinking: [
      { type: "adaptive", display: "summarized" },
      { type: "enabled", budget_tokens: 1024 },
      { type: "enabled", budget_tokens: 8000 },
      { type: "disabled" }
    ],
    output_config: [
      { effort: "max" },
      { effort: "low", format: { type: "json_schema", schema: schema("y") } }
    ],
    stop_sequences: [["END"], ["a", "b", "c", "d", "e"], []],
    tools: [
      [
        { name: "a", input_schema: schema("x"), strict: true },
        { name: "b", input_schema: { ...schema("x"), required: [] }, strict: true }
      ],
      [
        { type: "web_search_20250305", name: "web_search" },
        { name: "a", input_schema: loose, cache_control: { type: "ephemeral" } }
      ],
      [{ type: "bash_20250124", name: "bash" }],
      []
    ],
    tool_choice: [
      { type: "auto", disable_parallel_tool_use: true },
      { type: "any" },
      { type: "none" },
      { type: "tool", name: "a", disable_parallel_tool_use: true },
      { type: "tool", name: "web_search" }
    ],
    cache_control: [{ type: "ephemeral" }],
    container: ["c1"],
    inference_geo: ["eu"],
    service_tier: ["standard_only"]
  }
}

const openRouter: ReadonlyArray<Json> = [
  { type: "openrouter:datetime" },
  { type: "openrouter:web_search", parameters: { max_results: 3 } }
]

const everywhere = {
  models: [["lab/m", "lab/n"]],
  provider: [{ sort: "price", zdr: true }],
  plugins: [[{ id: "web", max_results: 2 }]]
}

/** Values that only gateways accept, used instead of or in addition to the usual values. */
const gatewayValues: typeof values = {
  responses: {
    ...values.responses,
    ...everywhere,
    tools: [
      ...(values.responses.tools ?? []),
      openRouter,
      [{ type: "openrouter:shell" }, flat("b", { async: true })]
    ],
    reasoning: [...efforts, { max_tokens: 2000, enabled: true }],
    context_management: [],
    prompt_cache_retention: [],
    frequency_penalty: [0.5],
    presence_penalty: [-1],
    top_k: [5],
    modalities: [["text", "image"]]
  },
  chatCompletions: {
    ...values.chatCompletions,
    ...everywhere,
    tools: [
      [deep("a", { parameters: schema("x"), strict: true }), ...openRouter],
      [deep("b", { parameters: loose }), { type: "web_search" }],
      [{ ...deep("a"), cache_control: { type: "ephemeral" } }]
    ],
    tool_choice: [...words, deep("a")],
    verbosity: [],
    audio: [],
    web_search_options: [],
    functions: [],
    function_call: [],
    prompt_cache_retention: [],
    reasoning_effort: [],
    reasoning: [{ effort: "high", summary: "auto" }],
    min_p: [0.1],
    top_k: [5]
  },
  messages: {
    ...values.messages,
    ...everywhere,
    ...numbers,
    container: [],
    inference_geo: [],
    top_k: [5]
  }
}

const user = { role: "user", content: "Hi" }
const begun = { role: "assistant", content: "{" }

/** The conversation of a request, which presets lack. */
const conversations: Readonly<Record<Format, Readonly<Record<string, ReadonlyArray<Json>>>>> = {
  responses: { input: ["Hi"] },
  chatCompletions: { messages: [[user]] },
  messages: { messages: [[user], [user, begun]] }
}

/** Generates one of the given values, or no value. */
const choose = (among: ReadonlyArray<Json>): Arbitrary.Arbitrary<Json | undefined> =>
  Arbitrary.map(
    Arbitrary.schema(
      Schema.Int.check(Schema.isBetween({ minimum: -2, maximum: among.length - 1 }))
    ),
    (place) => among[place]
  )

/**
 * Adds one field at a time, and leaves out fields that the endpoint would refuse together with the
 * others.
 */
const grow = (format: Format, fields: Readonly<Record<string, Json | undefined>>): JsonObject => {
  let request: JsonObject = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const larger = { ...request, [name]: value }
    if (brokenBy(format, larger).length === 0) request = larger
  }
  return request
}

const generate = (
  format: Format,
  fields: Readonly<Record<string, ReadonlyArray<Json>>>
): Arbitrary.Arbitrary<JsonObject> => {
  const chosen = Object.entries(fields).map(([name, among]) => [name, choose(among)] as const)
  return Arbitrary.map(Arbitrary.all(Object.fromEntries(chosen)), (request) =>
    grow(format, request)
  )
}

/** Generates the config of a preset from requests to the provider, or to a gateway. */
export const configOf = (format: Format, isGateway = false): Arbitrary.Arbitrary<JsonObject> =>
  generate(format, (isGateway ? gatewayValues : values)[format])

/** Generates a request in a format. */
export const requestOf = (format: Format, isGateway = false): Arbitrary.Arbitrary<JsonObject> =>
  generate(format, {
    ...conversations[format],
    ...(isGateway ? gatewayValues : values)[format]
  })

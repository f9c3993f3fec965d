/**
 * The request body as JSON Schema, written by hand for Ajv from the same specification: the same
 * fields, the same nested shapes, the same limits.
 */

import { plugins } from "./PluginSchema.ts"
import {
  anyObject,
  flag,
  flagOrNull,
  integer,
  integerOrNull,
  nonEmpty,
  number,
  numberOrNull,
  object,
  objectOrNull,
  oneOfOrNull,
  type Properties,
  selectedBy,
  text,
  textOrNull,
  texts,
  textsOrNull
} from "./SchemaWords.ts"

const metadata = {
  type: ["object", "null"],
  maxProperties: 16,
  propertyNames: { maxLength: 64, pattern: "^[^\\[\\]]*$" },
  additionalProperties: { type: "string", maxLength: 512 }
} as const

const percentiles = { p50: number, p75: number, p90: number, p99: number }
const preference = { type: ["number", "object", "null"], properties: percentiles } as const
const sortBy = ["price", "throughput", "latency", "exacto"]

const provider = {
  ...objectOrNull({
    allow_fallbacks: flagOrNull,
    data_collection: oneOfOrNull("deny", "allow"),
    enforce_distillable_text: flagOrNull,
    ignore: textsOrNull,
    only: textsOrNull,
    order: textsOrNull,
    max_price: object({ prompt: text, completion: text, request: text, image: text, audio: text }),
    preferred_max_latency: preference,
    preferred_min_throughput: preference,
    quantizations: { type: ["array", "null"], items: nonEmpty },
    require_parameters: flagOrNull,
    sort: {
      anyOf: [
        oneOfOrNull(...sortBy),
        object({ by: { enum: sortBy }, partition: oneOfOrNull("model", "none") })
      ]
    },
    zdr: flagOrNull
  }),
  additionalProperties: false
} as const

const part = (type: string, properties: Properties, required: ReadonlyArray<string> = []) =>
  object({ type: { const: type }, ...properties }, ["type", ...required])

const promptVariable = {
  anyOf: [
    text,
    selectedBy("type", [
      part("input_text", { text }, ["text"]),
      part("input_image", { image_url: textOrNull, file_id: textOrNull, detail: textOrNull }),
      part("input_file", {
        file_id: textOrNull,
        file_url: textOrNull,
        file_data: textOrNull,
        filename: textOrNull
      })
    ])
  ]
} as const

const functionTool = object(
  {
    name: text,
    description: textOrNull,
    parameters: { type: ["object", "null"] },
    strict: flagOrNull,
    async: flag,
    defer_loading: flag
  },
  ["name"]
)

const tools = {
  type: "array",
  findableTools: true,
  items: {
    ...object({ type: text }, ["type"]),
    if: { properties: { type: { const: "function" } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: functionTool
  }
} as const

const toolChoice = {
  anyOf: [
    { enum: ["auto", "none", "required"] },
    {
      ...object({ type: { type: "string", not: { enum: ["function", "allowed_tools"] } } }, [
        "type"
      ])
    },
    part("function", { name: text }, ["name"]),
    part(
      "allowed_tools",
      { mode: { enum: ["auto", "required"] }, tools: { type: "array", items: anyObject } },
      ["mode", "tools"]
    )
  ]
} as const

const stopConditions = {
  type: "array",
  minItems: 1,
  items: selectedBy("type", [
    part("step_count_is", { step_count: integer }, ["step_count"]),
    part("has_tool_call", { tool_name: text }, ["tool_name"]),
    part("max_tokens_used", { max_tokens: integer }, ["max_tokens"]),
    part("max_cost", { max_cost_in_dollars: number }, ["max_cost_in_dollars"]),
    part("finish_reason_is", { reason: text }, ["reason"])
  ])
} as const

const textOutput = object({
  format: selectedBy("type", [
    part("text", {}),
    part("json_object", {}),
    part("json_schema", { name: text, schema: anyObject, description: text, strict: flagOrNull }, [
      "name",
      "schema"
    ])
  ]),
  verbosity: oneOfOrNull("low", "medium", "high", "xhigh", "max")
})

/** The whole body. Unknown properties are accepted. */
export const requestSchema = object({
  background: flagOrNull,
  cache_control: object({ type: { const: "ephemeral" }, ttl: { enum: ["5m", "1h"] } }, ["type"]),
  debug: object({ echo_upstream_body: flag }),
  frequency_penalty: numberOrNull,
  image_config: {
    type: "object",
    additionalProperties: { type: ["string", "number", "array"] }
  },
  include: {
    type: ["array", "null"],
    items: {
      enum: [
        "file_search_call.results",
        "message.input_image.image_url",
        "computer_call_output.output.image_url",
        "reasoning.encrypted_content",
        "code_interpreter_call.outputs"
      ]
    }
  },
  input: { type: ["string", "array"], items: anyObject },
  instructions: textOrNull,
  max_output_tokens: integerOrNull,
  max_tool_calls: { type: ["integer", "null"], maximum: 30 },
  metadata,
  modalities: { type: "array", items: { enum: ["text", "image"] } },
  model: text,
  models: texts,
  parallel_tool_calls: flagOrNull,
  plugins,
  presence_penalty: numberOrNull,
  previous_response_id: { type: "null" },
  prompt: objectOrNull(
    { id: text, variables: { type: ["object", "null"], additionalProperties: promptVariable } },
    ["id"]
  ),
  prompt_cache_key: textOrNull,
  prompt_cache_options: objectOrNull({ mode: { const: "explicit" }, ttl: textOrNull }, ["mode"]),
  provider,
  reasoning: objectOrNull({
    enabled: flagOrNull,
    max_tokens: integerOrNull,
    effort: oneOfOrNull("max", "xhigh", "high", "medium", "low", "minimal", "none"),
    summary: oneOfOrNull("auto", "concise", "detailed"),
    context: oneOfOrNull("auto", "all_turns", "current_turn"),
    mode: oneOfOrNull("standard", "pro")
  }),
  route: oneOfOrNull("fallback", "sort"),
  safety_identifier: textOrNull,
  service_tier: oneOfOrNull("auto", "default", "fast", "flex", "priority", "scale"),
  session_id: { type: "string", maxLength: 256 },
  stop_server_tools_when: stopConditions,
  store: { const: false },
  stream: flag,
  temperature: numberOrNull,
  text: textOutput,
  tool_choice: toolChoice,
  tools,
  top_k: integer,
  top_logprobs: integerOrNull,
  top_p: numberOrNull,
  trace: object({
    trace_id: text,
    trace_name: text,
    span_name: text,
    generation_name: text,
    parent_span_id: text
  }),
  truncation: oneOfOrNull("auto", "disabled"),
  user: { type: "string", maxLength: 256 }
})

/**
 * The three formats of an inference request: which fields a preset keeps of each, and how a format
 * shows in a configuration or a request that does not name it.
 */
import { isObject, type Json, type JsonObject, own } from "./Json.ts"

/** A format of an inference request, by the endpoint that takes it. */
export type Format = "responses" | "chatCompletions" | "messages"

/** Every format. */
export const formats: ReadonlyArray<Format> = ["responses", "chatCompletions", "messages"]

/** The fields that a preset keeps of a request, under the names sent. */
export const keptFields: Readonly<Record<Format, ReadonlySet<string>>> = {
  responses: new Set([
    "cache_control",
    "context_management",
    "frequency_penalty",
    "image_config",
    "include",
    "max_output_tokens",
    "max_tool_calls",
    "modalities",
    "model",
    "models",
    "parallel_tool_calls",
    "plugins",
    "presence_penalty",
    "prompt_cache_options",
    "prompt_cache_retention",
    "provider",
    "reasoning",
    "route",
    "service_tier",
    "stop_server_tools_when",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_k",
    "top_logprobs",
    "top_p",
    "truncation"
  ]),
  chatCompletions: new Set([
    "audio",
    "cache_control",
    "frequency_penalty",
    "function_call",
    "functions",
    "image_config",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "min_p",
    "modalities",
    "model",
    "models",
    "parallel_tool_calls",
    "plugins",
    "prediction",
    "presence_penalty",
    "prompt_cache_options",
    "prompt_cache_retention",
    "provider",
    "reasoning",
    "reasoning_effort",
    "repetition_penalty",
    "response_format",
    "route",
    "seed",
    "service_tier",
    "stop",
    "stop_server_tools_when",
    "temperature",
    "tool_choice",
    "tools",
    "top_a",
    "top_k",
    "top_logprobs",
    "top_p",
    "verbosity",
    "web_search_options"
  ]),
  messages: new Set([
    "cache_control",
    "container",
    "context_management",
    "inference_geo",
    "max_tokens",
    "mcp_servers",
    "model",
    "models",
    "output_config",
    "plugins",
    "provider",
    "route",
    "service_tier",
    "speed",
    "stop_sequences",
    "stop_server_tools_when",
    "temperature",
    "thinking",
    "tool_choice",
    "tools",
    "top_k",
    "top_p"
  ])
}

/** The fields that any format keeps. */
export const knownFields: ReadonlySet<string> = new Set(
  formats.flatMap((format) => [...keptFields[format]])
)

/** The names by which one format alone is known. */
const marks: Readonly<Record<Format, ReadonlyArray<string>>> = {
  messages: ["stop_sequences", "thinking", "output_config", "speed", "context_management"],
  responses: ["max_output_tokens", "text", "include", "truncation", "max_tool_calls"],
  chatCompletions: [
    "max_completion_tokens",
    "response_format",
    "reasoning_effort",
    "stop",
    "seed",
    "logit_bias",
    "logprobs",
    "min_p",
    "top_a",
    "repetition_penalty",
    "prediction"
  ]
}

const toolsOf = (object: JsonObject): ReadonlyArray<Json> => {
  const tools = own(object, "tools")
  return Array.isArray(tools) ? tools : []
}

const formatOfTool = (tool: Json): Format | undefined => {
  if (!isObject(tool)) return undefined
  if (isObject(own(tool, "function"))) return "chatCompletions"
  if (own(tool, "input_schema") !== undefined) return "messages"
  return own(tool, "type") === "function" ? "responses" : undefined
}

const formatOfMarks = (object: JsonObject): Format | undefined => {
  const marked = (Object.keys(marks) as ReadonlyArray<Format>).find((format) =>
    marks[format].some((name) => Object.hasOwn(object, name))
  )
  if (marked !== undefined) return marked
  for (const tool of toolsOf(object)) {
    const format = formatOfTool(tool)
    if (format !== undefined) return format
  }
  return undefined
}

/**
 * The format of a configuration that was kept before formats were: by a field or a tool that one
 * format alone has. `max_tokens` alone is that of a chat; all else is taken for a Responses-style
 * request, as it was then.
 */
export const formatOfConfig = (config: JsonObject): Format =>
  formatOfMarks(config) ?? (Object.hasOwn(config, "max_tokens") ? "chatCompletions" : "responses")

/**
 * The format of a request that does not say it: one with `messages` is a chat unless it has a field
 * that only messages requests have; without them it is a Responses-style one.
 */
export const formatOfRequest = (request: JsonObject): Format => {
  if (!Object.hasOwn(request, "messages")) return "responses"
  if (Object.hasOwn(request, "system")) return "messages"
  return formatOfMarks(request) === "messages" ? "messages" : "chatCompletions"
}

/**
 * Defines the three formats of inference requests, lists the fields that presets keep, and detects
 * the format of a body that does not name it.
 */
import { isObject, type Json, type JsonObject, listIn, own } from "./Json.ts"

/** The format of an inference request, named after its endpoint. */
export type Format = "responses" | "chatCompletions" | "messages"

/** All request formats. */
export const formats: ReadonlyArray<Format> = ["responses", "chatCompletions", "messages"]

/** Finds a format by its name in responses and files, such as `chat_completions`. */
export const formatNamed = (name: string | null): Format | undefined =>
  formats.find((each) => each.toLowerCase() === name?.replace("_", ""))

const everywhere = [
  "cache_control",
  "model",
  "models",
  "plugins",
  "provider",
  "route",
  "service_tier",
  "stop_server_tools_when",
  "temperature",
  "tool_choice",
  "tools",
  "top_k",
  "top_p"
]

const openAi = [
  ...everywhere,
  "frequency_penalty",
  "image_config",
  "modalities",
  "parallel_tool_calls",
  "presence_penalty",
  "prompt_cache_options",
  "prompt_cache_retention",
  "reasoning",
  "top_logprobs"
]

/** For each format, the names of the request fields that a preset keeps. */
export const keptFields: Readonly<Record<Format, ReadonlySet<string>>> = {
  responses: new Set([
    ...openAi,
    "context_management",
    "include",
    "max_output_tokens",
    "max_tool_calls",
    "text",
    "truncation"
  ]),
  chatCompletions: new Set([
    ...openAi,
    "audio",
    "function_call",
    "functions",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "min_p",
    "prediction",
    "reasoning_effort",
    "repetition_penalty",
    "response_format",
    "seed",
    "stop",
    "top_a",
    "verbosity",
    "web_search_options"
  ]),
  messages: new Set([
    ...everywhere,
    "container",
    "context_management",
    "inference_geo",
    "max_tokens",
    "mcp_servers",
    "output_config",
    "speed",
    "stop_sequences",
    "thinking"
  ])
}

/** Every field that at least one format keeps. */
export const knownFields: ReadonlySet<string> = new Set(
  formats.flatMap((format) => [...keptFields[format]])
)

/**
 * Returns the only format that keeps a field of this name; undefined if several formats do, or
 * none.
 */
const formatOfField = (name: string): Format | undefined => {
  const [format, ...others] = formats.filter((each) => keptFields[each].has(name))
  return others.length === 0 ? format : undefined
}

const formatOfTool = (tool: Json): Format | undefined => {
  if (!isObject(tool)) return undefined
  if (isObject(own(tool, "function"))) return "chatCompletions"
  if (own(tool, "input_schema") !== undefined) return "messages"
  return own(tool, "type") === "function" ? "responses" : undefined
}

const formatOfMarks = (object: JsonObject): Format | undefined => {
  for (const name of Object.keys(object)) {
    const format = formatOfField(name)
    if (format !== undefined) return format
  }
  for (const tool of listIn(object, "tools")) {
    const format = formatOfTool(tool)
    if (format !== undefined) return format
  }
  return undefined
}

/**
 * Detects the format of a request. A request with `messages` is a chat request, unless one of its
 * fields exists only in the messages format. A request without `messages` is a Responses request.
 */
export const formatOfRequest = (request: JsonObject): Format => {
  if (!Object.hasOwn(request, "messages")) return "responses"
  if (Object.hasOwn(request, "system")) return "messages"
  return formatOfMarks(request) === "messages" ? "messages" : "chatCompletions"
}

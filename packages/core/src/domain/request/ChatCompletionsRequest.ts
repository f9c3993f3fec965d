/**
 * The body of a chat-completions request. Fields that a Responses-style request also has follow the
 * same rules; the other fields follow the public interface.
 */
import { Schema } from "effect"
import {
  FlagOrNull,
  IntOrNull,
  JsonObject,
  NumberOrNull,
  openStruct,
  optional,
  TextOrNull
} from "../schema/ObjectSchemas.ts"
import { type Field, ignore, keep, reasons, systemPrompt } from "./FieldTable.ts"
import {
  EffortOrNull,
  openCacheControl,
  requestFields as responses,
  responsesTable
} from "./ResponsesRequest.ts"
import { Messages } from "./SystemMessages.ts"
import { deferralRule, ServerTool } from "./Tool.ts"

// Tools of a chat-completions request. A function's name and parameters are nested in `function`,
// one level deeper than in a Responses-style request.

/** A function that the client runs. */
const ChatFunctionTool = openStruct({
  type: Schema.Literal("function"),
  function: openStruct({
    name: Schema.String,
    description: optional(Schema.NullOr(Schema.String), "What the function does."),
    parameters: optional(Schema.NullOr(JsonObject), "A JSON Schema of the arguments."),
    strict: optional(Schema.NullOr(Schema.Boolean), "Whether arguments must match the schema.")
  }),
  defer_loading: optional(
    Schema.Boolean,
    "Withholds the tool until a tool search finds it; needs such a tool, and one not deferred."
  )
}).annotate({ identifier: "ChatFunctionTool" })

/** Any tool. */
const ChatTool = Schema.Union([ChatFunctionTool, ServerTool]).annotate({
  identifier: "ChatTool"
})

/** The tools of a request. */
const ChatTools = Schema.Array(ChatTool).check(deferralRule)

/** A keyword for all tools, or an object that names one tool. */
const ChatToolChoice = Schema.Union([
  Schema.Literals(["auto", "none", "required"]),
  openStruct({ type: Schema.Literal("function"), function: openStruct({ name: Schema.String }) }),
  ServerTool
]).annotate({ identifier: "ChatToolChoice" })

const isReserved = (type: string): boolean => type === "json_schema"

/** JSON of a given schema, or any other format, which is stored as sent. */
const ResponseFormat = Schema.Union([
  openStruct({
    type: Schema.Literal("json_schema"),
    json_schema: openStruct({
      name: Schema.String,
      description: optional(Schema.String, "What the answer is for."),
      schema: optional(JsonObject, "A JSON Schema of the answer."),
      strict: optional(FlagOrNull, "Whether the answer must match the schema.")
    })
  }),
  openStruct({
    type: Schema.String.check(
      Schema.makeFilter((type: string) => !isReserved(type), {
        toJsonSchema: () => ({ not: { const: "json_schema" } })
      })
    )
  })
]).annotate({ identifier: "ResponseFormat" })

const Prediction = openStruct({
  type: Schema.Literal("content"),
  content: Schema.Union([Schema.String, Schema.Array(JsonObject)])
}).annotate({ identifier: "Prediction" })

/** The setting for prompt caching, with any value. */
const PromptCacheOptions = openStruct({
  mode: optional(Schema.String, "What is cached, for example `implicit` or `explicit`."),
  ttl: optional(TextOrNull, "How long the provider keeps the prompt.")
})

/** Every field of the body, in the order in which problems are reported. */
export const chatCompletionsFields = {
  audio: optional(Schema.NullOr(JsonObject), "The voice and the format of spoken answers."),
  cache_control: openCacheControl,
  debug: responses.debug,
  frequency_penalty: responses.frequency_penalty,
  function_call: optional(
    Schema.Union([Schema.String, JsonObject]),
    "Which function may or must be called, under its older name."
  ),
  functions: optional(Schema.Array(JsonObject), "Functions, under their older name."),
  image_config: responses.image_config,
  logit_bias: optional(
    Schema.NullOr(Schema.Record(Schema.String, Schema.Finite)),
    "Makes single tokens more or less likely, by their id."
  ),
  logprobs: optional(FlagOrNull, "Whether the probability of each token is shown."),
  max_completion_tokens: optional(IntOrNull, "Most tokens of the answer."),
  max_tokens: optional(IntOrNull, "Most tokens of the answer, under its older name."),
  messages: Messages.annotate({ description: "The conversation." }),
  metadata: responses.metadata,
  min_p: optional(NumberOrNull, "Leaves out words less likely than that share of the likeliest."),
  modalities: optional(
    Schema.NullOr(Schema.Array(Schema.Literals(["text", "image", "audio"]))),
    "What the answer may consist of."
  ),
  model: responses.model,
  models: responses.models,
  parallel_tool_calls: responses.parallel_tool_calls,
  plugins: responses.plugins,
  prediction: optional(Schema.NullOr(Prediction), "Text that the answer will mostly repeat."),
  presence_penalty: responses.presence_penalty,
  prompt_cache_key: responses.prompt_cache_key,
  prompt_cache_options: optional(Schema.NullOr(PromptCacheOptions), "How prompts are cached."),
  prompt_cache_retention: responses.prompt_cache_retention,
  provider: responses.provider,
  reasoning: responses.reasoning,
  reasoning_effort: optional(EffortOrNull, "How much the model reasons."),
  repetition_penalty: optional(NumberOrNull, "Makes words already used less likely."),
  response_format: optional(ResponseFormat, "The form of the answer."),
  route: responses.route,
  seed: optional(IntOrNull, "Makes equal requests answer alike, as far as the model can."),
  service_tier: optional(TextOrNull, "How the request is served."),
  session_id: responses.session_id,
  stop: optional(
    Schema.Union([Schema.String, Schema.Array(Schema.String), Schema.Null]),
    "Text that ends the answer."
  ),
  stop_server_tools_when: responses.stop_server_tools_when,
  stream: optional(FlagOrNull, "Whether the answer is streamed."),
  stream_options: optional(
    Schema.NullOr(openStruct({ include_usage: Schema.optionalKey(Schema.Boolean) })),
    "Additional content of the stream."
  ),
  temperature: responses.temperature,
  tool_choice: optional(ChatToolChoice, "Which tools may or must be called."),
  tools: optional(ChatTools, "The tools of the request."),
  top_a: optional(NumberOrNull, "Leaves out words far less likely than the likeliest."),
  top_k: optional(IntOrNull, "Chooses among that many words."),
  top_logprobs: responses.top_logprobs,
  top_p: responses.top_p,
  trace: responses.trace,
  user: responses.user,
  verbosity: optional(TextOrNull, "How wordy the answer is."),
  web_search_options: optional(JsonObject, "How the web is searched for the answer.")
}

/** The body of a chat-completions request. Unknown properties are accepted. */
export const ChatCompletionsRequest = openStruct(chatCompletionsFields).annotate({
  identifier: "ChatCompletionsRequest"
})
export type ChatCompletionsRequest = typeof ChatCompletionsRequest.Type

/** How a preset treats each field. */
export const chatCompletionsTable = {
  audio: keep(reasons.output),
  cache_control: responsesTable.cache_control,
  debug: responsesTable.debug,
  frequency_penalty: responsesTable.frequency_penalty,
  function_call: keep(reasons.tooling),
  functions: keep(reasons.tooling),
  image_config: responsesTable.image_config,
  logit_bias: keep(reasons.sampling),
  logprobs: keep(reasons.output),
  max_completion_tokens: keep(reasons.limit),
  max_tokens: keep(reasons.limit),
  messages: systemPrompt(
    "contains the system and developer messages, which form the system prompt"
  ),
  metadata: responsesTable.metadata,
  min_p: keep(reasons.sampling),
  modalities: responsesTable.modalities,
  model: responsesTable.model,
  models: responsesTable.models,
  parallel_tool_calls: responsesTable.parallel_tool_calls,
  plugins: responsesTable.plugins,
  prediction: keep(reasons.output),
  presence_penalty: responsesTable.presence_penalty,
  prompt_cache_key: responsesTable.prompt_cache_key,
  prompt_cache_options: responsesTable.prompt_cache_options,
  prompt_cache_retention: responsesTable.prompt_cache_retention,
  provider: responsesTable.provider,
  reasoning: responsesTable.reasoning,
  reasoning_effort: keep(reasons.thinking),
  repetition_penalty: keep(reasons.sampling),
  response_format: keep(reasons.output),
  route: responsesTable.route,
  seed: keep(reasons.sampling),
  service_tier: responsesTable.service_tier,
  session_id: responsesTable.session_id,
  stop: keep(reasons.limit),
  stop_server_tools_when: responsesTable.stop_server_tools_when,
  stream: responsesTable.stream,
  stream_options: ignore(reasons.transport),
  temperature: responsesTable.temperature,
  tool_choice: responsesTable.tool_choice,
  tools: responsesTable.tools,
  top_a: keep(reasons.sampling),
  top_k: responsesTable.top_k,
  top_logprobs: responsesTable.top_logprobs,
  top_p: responsesTable.top_p,
  trace: responsesTable.trace,
  user: responsesTable.user,
  verbosity: keep(reasons.output),
  web_search_options: keep(reasons.tooling)
} as const satisfies Record<keyof typeof chatCompletionsFields, Field>

/**
 * The body of a chat-completions request. Fields that Responses-style requests also have follow the
 * same rules; the other fields follow the public API.
 */
import { Schema, Struct } from "effect"
import {
  FlagOrNull,
  IntOrNull,
  JsonObject,
  NumberOrNull,
  openStruct,
  optional,
  otherThan,
  TextOrNull
} from "../schema/ObjectSchemas.ts"
import { joinGroups, makeTable, systemPrompt } from "./FieldTable.ts"
import { EffortOrNull, openCacheControl, responsesGroups as responses } from "./ResponsesRequest.ts"
import { Messages } from "./SystemMessages.ts"
import { deferralRule, ServerTool } from "./Tool.ts"

// In a chat-completions request, the name and the parameters of a function tool are nested in
// `function`, one level deeper than in a Responses-style request.

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
    "Hides the tool until a tool search finds it. Requires a tool search and a visible tool."
  )
}).annotate({ identifier: "ChatFunctionTool" })

/** A tool in a chat-completions request, of any kind. */
const ChatTool = Schema.Union([ChatFunctionTool, ServerTool]).annotate({
  identifier: "ChatTool"
})

/** The tools in a chat-completions request. */
const ChatTools = Schema.Array(ChatTool).check(deferralRule)

/** The tools that a model may call: a keyword for all of them, or an object that names one. */
const ChatToolChoice = Schema.Union([
  Schema.Literals(["auto", "none", "required"]),
  openStruct({ type: Schema.Literal("function"), function: openStruct({ name: Schema.String }) }),
  ServerTool
]).annotate({ identifier: "ChatToolChoice" })

/**
 * The format of the response: JSON that follows a given schema, or any other format, which is
 * stored as sent.
 */
const ResponseFormat = Schema.Union([
  openStruct({
    type: Schema.Literal("json_schema"),
    json_schema: openStruct({
      name: Schema.String,
      description: optional(Schema.String, "The purpose of the response format."),
      schema: optional(JsonObject, "A JSON Schema for the answer."),
      strict: optional(FlagOrNull, "Whether the answer must match the schema.")
    })
  }),
  openStruct({ type: otherThan(["json_schema"]) })
]).annotate({ identifier: "ResponseFormat" })

const Prediction = openStruct({
  type: Schema.Literal("content"),
  content: Schema.Union([Schema.String, Schema.Array(JsonObject)])
}).annotate({ identifier: "Prediction" })

/** The setting for prompt caching. Any value is accepted. */
const PromptCacheOptions = openStruct({
  mode: optional(Schema.String, "What is cached, for example `implicit` or `explicit`."),
  ttl: optional(TextOrNull, "Time for which the provider caches the prompt.")
})

/** The fields of the body, grouped by how a preset treats them. */
const groups = {
  choice: {
    ...responses.choice,
    service_tier: optional(TextOrNull, "The service tier of the request.")
  },
  sampling: {
    ...responses.sampling,
    logit_bias: optional(
      Schema.NullOr(Schema.Record(Schema.String, Schema.Finite)),
      "Makes individual tokens more or less likely, by token id."
    ),
    min_p: optional(NumberOrNull, "Minimum probability of a token, relative to the likeliest one."),
    repetition_penalty: optional(NumberOrNull, "Makes tokens that were already used less likely."),
    seed: optional(IntOrNull, "Makes answers to repeated requests as similar as possible."),
    top_a: optional(NumberOrNull, "Leaves out tokens far less likely than the most likely token."),
    top_k: optional(IntOrNull, "Chooses only among this number of the most likely tokens.")
  },
  thinking: {
    ...responses.thinking,
    reasoning_effort: optional(EffortOrNull, "The reasoning effort of the model.")
  },
  caching: {
    ...responses.caching,
    cache_control: openCacheControl,
    prompt_cache_options: optional(Schema.NullOr(PromptCacheOptions), "Prompt caching options.")
  },
  limit: {
    max_completion_tokens: optional(IntOrNull, "Maximum number of tokens in the answer."),
    max_tokens: optional(IntOrNull, "The older name of `max_completion_tokens`."),
    stop: optional(
      Schema.Union([Schema.String, Schema.Array(Schema.String), Schema.Null]),
      "Texts at which the answer ends."
    ),
    stop_server_tools_when: responses.limit.stop_server_tools_when
  },
  output: {
    audio: optional(Schema.NullOr(JsonObject), "The voice and the format of spoken answers."),
    image_config: responses.output.image_config,
    logprobs: optional(FlagOrNull, "Whether the probability of each token is shown."),
    modalities: optional(
      Schema.NullOr(Schema.Array(Schema.Literals(["text", "image", "audio"]))),
      "The kinds of content that the answer may contain."
    ),
    prediction: optional(Schema.NullOr(Prediction), "Text that the answer will largely repeat."),
    response_format: optional(ResponseFormat, "The format of the answer."),
    top_logprobs: responses.output.top_logprobs,
    verbosity: optional(TextOrNull, "The level of detail of the answer.")
  },
  tooling: {
    ...responses.tooling,
    function_call: optional(
      Schema.Union([Schema.String, JsonObject]),
      "The older name of `tool_choice`."
    ),
    functions: optional(Schema.Array(JsonObject), "The older name of `tools`."),
    tool_choice: optional(ChatToolChoice, "The tools that the model may or must call."),
    tools: optional(ChatTools, "The tools of the request."),
    web_search_options: optional(JsonObject, "Options for web searches.")
  },
  around: responses.around,
  transport: {
    stream: optional(FlagOrNull, "Whether the answer is streamed."),
    stream_options: optional(
      Schema.NullOr(openStruct({ include_usage: Schema.optionalKey(Schema.Boolean) })),
      "Additional content to include in the stream."
    )
  },
  identity: Struct.omit(responses.identity, ["safety_identifier"]),
  diagnosis: responses.diagnosis,
  own: {
    messages: Messages.annotate({ description: "The conversation." })
  }
}

/** All fields of a chat-completions request, in the order in which problems are reported. */
const chatCompletionsFields = joinGroups(groups)

/** The body of a chat-completions request. Unknown properties are accepted. */
export const ChatCompletionsRequest = openStruct(chatCompletionsFields).annotate({
  identifier: "ChatCompletionsRequest"
})
export type ChatCompletionsRequest = typeof ChatCompletionsRequest.Type

/** How a preset treats each field of a chat-completions request. */
export const chatCompletionsTable = makeTable(groups, {
  messages: systemPrompt("contains the system and developer messages, which form the system prompt")
})

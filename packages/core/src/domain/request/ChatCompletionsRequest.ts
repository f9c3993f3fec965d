/**
 * The body of a chat-completions request. Fields shared with Responses-style requests follow the
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

/**
 * A format of the response: JSON of a given schema, or any other format, which is stored as sent.
 */
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
  openStruct({ type: otherThan(["json_schema"]) })
]).annotate({ identifier: "ResponseFormat" })

const Prediction = openStruct({
  type: Schema.Literal("content"),
  content: Schema.Union([Schema.String, Schema.Array(JsonObject)])
}).annotate({ identifier: "Prediction" })

/** The setting for prompt caching; any value is accepted. */
const PromptCacheOptions = openStruct({
  mode: optional(Schema.String, "What is cached, for example `implicit` or `explicit`."),
  ttl: optional(TextOrNull, "How long the provider keeps the prompt.")
})

/** The fields of the body, grouped by their treatment in a preset. */
const groups = {
  choice: {
    ...responses.choice,
    service_tier: optional(TextOrNull, "How the request is served.")
  },
  sampling: {
    ...responses.sampling,
    logit_bias: optional(
      Schema.NullOr(Schema.Record(Schema.String, Schema.Finite)),
      "Makes single tokens more or less likely, by their id."
    ),
    min_p: optional(NumberOrNull, "Leaves out words less likely than that share of the likeliest."),
    repetition_penalty: optional(NumberOrNull, "Makes words already used less likely."),
    seed: optional(IntOrNull, "Makes equal requests answer alike, as far as the model can."),
    top_a: optional(NumberOrNull, "Leaves out words far less likely than the likeliest."),
    top_k: optional(IntOrNull, "Chooses among that many words.")
  },
  thinking: {
    ...responses.thinking,
    reasoning_effort: optional(EffortOrNull, "How much the model reasons.")
  },
  caching: {
    ...responses.caching,
    cache_control: openCacheControl,
    prompt_cache_options: optional(Schema.NullOr(PromptCacheOptions), "How prompts are cached.")
  },
  limit: {
    max_completion_tokens: optional(IntOrNull, "Most tokens of the answer."),
    max_tokens: optional(IntOrNull, "Most tokens of the answer, under its older name."),
    stop: optional(
      Schema.Union([Schema.String, Schema.Array(Schema.String), Schema.Null]),
      "Text that ends the answer."
    ),
    stop_server_tools_when: responses.limit.stop_server_tools_when
  },
  output: {
    audio: optional(Schema.NullOr(JsonObject), "The voice and the format of spoken answers."),
    image_config: responses.output.image_config,
    logprobs: optional(FlagOrNull, "Whether the probability of each token is shown."),
    modalities: optional(
      Schema.NullOr(Schema.Array(Schema.Literals(["text", "image", "audio"]))),
      "What the answer may consist of."
    ),
    prediction: optional(Schema.NullOr(Prediction), "Text that the answer will mostly repeat."),
    response_format: optional(ResponseFormat, "The form of the answer."),
    top_logprobs: responses.output.top_logprobs,
    verbosity: optional(TextOrNull, "How wordy the answer is.")
  },
  tooling: {
    ...responses.tooling,
    function_call: optional(
      Schema.Union([Schema.String, JsonObject]),
      "Which function may or must be called, under its older name."
    ),
    functions: optional(Schema.Array(JsonObject), "Functions, under their older name."),
    tool_choice: optional(ChatToolChoice, "Which tools may or must be called."),
    tools: optional(ChatTools, "The tools of the request."),
    web_search_options: optional(JsonObject, "How the web is searched for the answer.")
  },
  around: responses.around,
  transport: {
    stream: optional(FlagOrNull, "Whether the answer is streamed."),
    stream_options: optional(
      Schema.NullOr(openStruct({ include_usage: Schema.optionalKey(Schema.Boolean) })),
      "Additional content of the stream."
    )
  },
  identity: Struct.omit(responses.identity, ["safety_identifier"]),
  diagnosis: responses.diagnosis,
  own: {
    messages: Messages.annotate({ description: "The conversation." })
  }
}

/** Every field of the body, in the order in which problems are reported. */
const chatCompletionsFields = joinGroups(groups)

/** The body of a chat-completions request. Unknown properties are accepted. */
export const ChatCompletionsRequest = openStruct(chatCompletionsFields).annotate({
  identifier: "ChatCompletionsRequest"
})
export type ChatCompletionsRequest = typeof ChatCompletionsRequest.Type

/** How a preset treats each field. */
export const chatCompletionsTable = makeTable(groups, {
  messages: systemPrompt("contains the system and developer messages, which form the system prompt")
})

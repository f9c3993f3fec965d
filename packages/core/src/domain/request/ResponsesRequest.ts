/**
 * The whole body of a Responses-style inference request. A request that inference would refuse must
 * not become a preset, so the limits also apply to ignored fields. Fields are listed in the order
 * in which problems are reported.
 */
import { Schema } from "effect"
import {
  closedStruct,
  deprecate,
  FlagOrNull,
  Integer,
  IntOrNull,
  JsonObject,
  NumberOrNull,
  openStruct,
  optional,
  TextOrNull
} from "../schema/ObjectSchemas.ts"
import * as Rule from "../schema/Rule.ts"
import { ignore, joinGroups, makeTable, systemPrompt } from "./FieldTable.ts"
import { Plugin } from "./Plugin.ts"
import { ToolChoice, Tools } from "./Tool.ts"

// A request's metadata consists of pairs of strings. A preset does not keep metadata, but its
// limits still apply.

/** Maximum number of metadata pairs. */
const metadataPairsMax = 16
/** Maximum length of a metadata key, in characters. */
const metadataKeyMax = 64
/** Maximum length of a metadata value, in characters. */
const metadataValueMax = 512

const Value = Schema.String.check(Rule.charactersAtMost(metadataValueMax))

const limits = [
  Rule.propertiesAtMost(metadataPairsMax, "pairs"),
  Rule.plainKeysAtMost(metadataKeyMax)
] as const

/** The metadata of a request: a string for each key. */
const Metadata = Schema.Record(Schema.String, Value)
  .check(...limits)
  .annotate({ identifier: "Metadata" })

/** The metadata of a messages request, in which `user_id` may be null. */
export const MessagesMetadata = Schema.Record(Schema.String, Schema.NullOr(Value))
  .check(...limits)
  .annotate({ identifier: "MessagesMetadata" })

// A request can refer to a prompt that a provider stores, by its id and with values for its
// variables.

const PromptText = Schema.optionalKey(Schema.NullOr(Schema.String))

/** The value of a prompt variable: text, or an input part selected by `type`. */
const PromptVariable = Schema.Union([
  Schema.String,
  openStruct({ type: Schema.Literal("input_text"), text: Schema.String }),
  openStruct({
    type: Schema.Literal("input_image"),
    image_url: PromptText,
    file_id: PromptText,
    detail: PromptText
  }),
  openStruct({
    type: Schema.Literal("input_file"),
    file_id: PromptText,
    file_url: PromptText,
    file_data: PromptText,
    filename: PromptText
  })
])

/** A stored prompt: its id, and values for its variables. */
const Prompt = openStruct({
  id: Schema.String,
  variables: optional(
    Schema.NullOr(Schema.Record(Schema.String, PromptVariable)),
    "Values by variable name."
  )
}).annotate({ identifier: "Prompt" })

// A request can name the providers that may serve it, and those it prefers. This is the only object
// in a request that rejects unknown properties, because a misspelt privacy rule must not go
// unnoticed.

const Slugs = Schema.NullOr(Schema.Array(Schema.String))
const SortBy = Schema.Literals(["price", "throughput", "latency", "exacto"])

const Share = Schema.optionalKey(NumberOrNull)

const Percentiles = openStruct({ p50: Share, p75: Share, p90: Share, p99: Share })
const Preference = Schema.Union([Schema.Finite, Percentiles, Schema.Null])

const Price = Schema.optionalKey(Schema.String)

/** The rules for choosing the provider of a request. */
const ProviderPreferences = closedStruct({
  allow_fallbacks: optional(
    FlagOrNull.annotate({ default: true }),
    "Whether other providers may answer if the first one fails."
  ),
  data_collection: optional(
    Schema.NullOr(Schema.Literals(["deny", "allow"])).annotate({ default: "allow" }),
    "Whether providers that store requests may answer."
  ),
  enforce_distillable_text: optional(
    FlagOrNull,
    "Only models whose output may train other models."
  ),
  ignore: optional(Slugs, "Providers to exclude, in addition to those that the account excludes."),
  only: optional(Slugs, "The allowed providers, in addition to those that the account allows."),
  order: optional(Slugs, "Providers to try, in order."),
  max_price: optional(
    openStruct({ prompt: Price, completion: Price, request: Price, image: Price, audio: Price }),
    "Highest prices; `prompt` and `completion` in USD per million tokens."
  ),
  preferred_max_latency: optional(
    Preference,
    "Seconds: one number, or a number for each percentile."
  ),
  preferred_min_throughput: optional(
    Preference,
    "Tokens per second: one number, or a number for each percentile."
  ),
  quantizations: optional(
    Schema.NullOr(Schema.Array(Schema.String.check(Rule.notEmpty))),
    "Accepted quantization levels, for example `int8`, `fp16`, `unknown`."
  ),
  require_parameters: optional(
    FlagOrNull,
    "Only providers that support every parameter of the request."
  ),
  sort: optional(
    Schema.Union([
      SortBy,
      openStruct({
        by: Schema.optionalKey(Schema.NullOr(SortBy)),
        partition: Schema.optionalKey(Schema.NullOr(Schema.Literals(["model", "none"])))
      }),
      Schema.Null
    ]),
    "Used when `order` is left out; disables load balancing."
  ),
  zdr: optional(FlagOrNull, "Only endpoints that do not retain data.")
}).annotate({ identifier: "ProviderPreferences" })

// A request can set how much a model reasons before it answers, and how much of its reasoning is
// shown.

/** The reasoning effort, from highest to lowest; null leaves the choice to the model. */
export const EffortOrNull = Schema.NullOr(
  Schema.Literals(["max", "xhigh", "high", "medium", "low", "minimal", "none"])
)

/** The `reasoning` object of a request. */
const Reasoning = openStruct({
  enabled: optional(Schema.NullOr(Schema.Boolean), "Whether the model reasons."),
  max_tokens: optional(Schema.NullOr(Integer), "Maximum number of reasoning tokens."),
  effort: optional(EffortOrNull, "The reasoning effort of the model."),
  summary: optional(
    Schema.NullOr(Schema.Literals(["auto", "concise", "detailed"])),
    "The level of detail of the reasoning summary."
  ),
  context: optional(
    Schema.NullOr(Schema.Literals(["auto", "all_turns", "current_turn"])),
    "The reasoning of earlier turns that the model sees."
  ),
  mode: optional(Schema.NullOr(Schema.Literals(["standard", "pro"])), "The kind of reasoning.")
}).annotate({ identifier: "Reasoning" })

// The requests of a session share a key. A preset does not keep the key, but limits its length in
// the body or, if the body has no key, in a header.

/** Maximum length of a session key, and of `user`, in characters. */
export const sessionIdMax = 256

/** A session key of at most 256 characters. */
const SessionId = Schema.String.check(Rule.charactersAtMost(sessionIdMax))

/** Whether text can be a session key. */
export const isSessionId = Schema.is(SessionId)

// A model can call server tools in a loop, which ends when one of these conditions is met.

/** A condition that ends the loop of server-tool calls, selected by `type`. */
const StopCondition = Schema.Union([
  openStruct({ type: Schema.Literal("step_count_is"), step_count: Integer }),
  openStruct({ type: Schema.Literal("has_tool_call"), tool_name: Schema.String }),
  openStruct({ type: Schema.Literal("max_tokens_used"), max_tokens: Integer }),
  openStruct({ type: Schema.Literal("max_cost"), max_cost_in_dollars: Schema.Finite }),
  openStruct({ type: Schema.Literal("finish_reason_is"), reason: Schema.String })
]).annotate({ identifier: "StopCondition" })

// A request can set the format and the length of the text that a model returns.

/** The format of a model's text: plain text, any JSON, or JSON that follows a given schema. */
const TextFormat = Schema.Union([
  openStruct({ type: Schema.Literal("text") }),
  openStruct({ type: Schema.Literal("json_object") }),
  openStruct({
    type: Schema.Literal("json_schema"),
    name: Schema.String,
    schema: JsonObject,
    description: optional(Schema.String, "The purpose of the response format."),
    strict: optional(Schema.NullOr(Schema.Boolean), "Whether the answer must match the schema.")
  })
])

/** The format and the length of a model's text. */
const TextOutput = openStruct({
  format: optional(TextFormat, "The format of the answer."),
  verbosity: optional(
    Schema.NullOr(Schema.Literals(["low", "medium", "high", "xhigh", "max"])),
    "The level of detail of the answer."
  )
}).annotate({ identifier: "TextOutput" })

/** Maximum number of server-tool steps per request. */
const toolCallsMax = 30

const Text = Schema.optionalKey(Schema.String)

const CacheControl = openStruct({
  type: Schema.Literal("ephemeral"),
  ttl: optional(Schema.Literals(["5m", "1h"]), "Time for which the provider caches the prompt.")
}).annotate({ identifier: "CacheControl" })

/**
 * A cache control that accepts any type and lifetime, because the specification does not list all
 * of them.
 */
export const openCacheControl = optional(
  Schema.NullOr(
    openStruct({
      type: Schema.String,
      ttl: optional(Schema.String, "Time for which the provider caches the prompt.")
    })
  ),
  "Lets the provider cache the prompt."
)

const PromptCacheOptions = openStruct({
  mode: Schema.Literal("explicit").annotate({
    description: "Caches only blocks marked with `prompt_cache_breakpoint`."
  }),
  ttl: optional(TextOrNull, "Time for which the provider caches the prompt.")
}).annotate({ identifier: "PromptCacheOptions" })

const Included = Schema.Literals([
  "file_search_call.results",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
  "reasoning.encrypted_content",
  "code_interpreter_call.outputs"
])

const Trace = openStruct({
  trace_id: Text,
  trace_name: Text,
  span_name: Text,
  generation_name: Text,
  parent_span_id: Text
}).annotate({ identifier: "Trace" })

const NotStored = Schema.Null.annotate({ message: "must be null: responses are not stored" })

/** The fields of the body, grouped by how a preset treats them. */
export const responsesGroups = {
  choice: {
    model: optional(Schema.String, "The model that answers."),
    models: optional(Schema.Array(Schema.String), "Models to try, in order."),
    provider: optional(Schema.NullOr(ProviderPreferences), "Rules for choosing the provider."),
    route: deprecate(
      Schema.NullOr(Schema.Literals(["fallback", "sort"])),
      "Deprecated: use `provider.sort.partition`; `fallback` is `model`, `sort` is `none`."
    ),
    service_tier: optional(
      Schema.NullOr(
        Schema.Literals(["auto", "default", "fast", "flex", "priority", "scale"])
      ).annotate({ default: "auto" }),
      "The service tier of the request; `fast` means `priority`."
    )
  },
  sampling: {
    frequency_penalty: optional(NumberOrNull, "Makes tokens less likely with each use."),
    presence_penalty: optional(NumberOrNull, "Makes tokens that were already used less likely."),
    temperature: optional(NumberOrNull, "The randomness of the answer."),
    top_k: optional(Integer, "Chooses only among this number of the most likely tokens."),
    top_p: optional(NumberOrNull, "Chooses among the top tokens with this total probability.")
  },
  thinking: {
    reasoning: optional(Schema.NullOr(Reasoning), "Settings for reasoning.")
  },
  caching: {
    cache_control: optional(CacheControl, "Lets the provider cache the prompt."),
    prompt_cache_options: optional(Schema.NullOr(PromptCacheOptions), "Prompt caching options."),
    prompt_cache_retention: optional(TextOrNull, "Time for which cached prompts are kept.")
  },
  limit: {
    context_management: optional(
      Schema.NullOr(Schema.Array(JsonObject)),
      "Rules for shortening a conversation that becomes too long."
    ),
    max_output_tokens: optional(IntOrNull, "Maximum number of tokens in the answer."),
    max_tool_calls: optional(
      Schema.NullOr(Integer.check(Rule.numberAtMost(toolCallsMax))).annotate({
        default: toolCallsMax
      }),
      "Maximum number of server-tool steps; ignored with `stop_server_tools_when`."
    ),
    stop_server_tools_when: optional(
      Schema.Array(StopCondition).check(Rule.someItems("condition")),
      "Conditions, each of which ends the server-tool loop; overrides `max_tool_calls`."
    ),
    truncation: optional(
      Schema.NullOr(Schema.Literals(["auto", "disabled"])),
      "Whether to truncate a conversation that is too long."
    )
  },
  output: {
    image_config: optional(
      Schema.Record(
        Schema.String,
        Schema.Union([Schema.String, Schema.Finite, Schema.Array(Schema.Unknown)])
      ),
      "Settings for generated images; the keys depend on the model."
    ),
    include: optional(Schema.NullOr(Schema.Array(Included)), "Additional content in the answer."),
    modalities: optional(
      Schema.Array(Schema.Literals(["text", "image"])),
      "The kinds of content that the answer may contain."
    ),
    text: optional(TextOutput, "The format of the answer."),
    top_logprobs: optional(IntOrNull, "Number of alternatives to show for each token.")
  },
  tooling: {
    parallel_tool_calls: optional(FlagOrNull, "Whether tools may be called in parallel."),
    tool_choice: optional(ToolChoice, "The tools that the model may or must call."),
    tools: optional(Tools, "The tools of the request.")
  },
  around: {
    plugins: optional(Schema.Array(Plugin), "Plugins for the request.")
  },
  content: {
    prompt: optional(Schema.NullOr(Prompt), "A stored prompt of the provider.")
  },
  transport: {
    background: optional(FlagOrNull, "Whether the request runs in the background."),
    stream: optional(Schema.Boolean.annotate({ default: false }), "Whether the answer is streamed.")
  },
  identity: {
    metadata: optional(Schema.NullOr(Metadata), "Text values by name, for the sender's own use."),
    prompt_cache_key: optional(TextOrNull, "Groups requests that share a cached prompt."),
    safety_identifier: optional(TextOrNull, "Identifies an end user when abuse is isolated."),
    session_id: optional(SessionId, "Groups requests; overrides the `x-session-id` header."),
    user: optional(
      Schema.String.check(Rule.charactersAtMost(sessionIdMax)),
      "The end user who caused the request."
    )
  },
  diagnosis: {
    debug: optional(
      openStruct({ echo_upstream_body: Schema.optionalKey(Schema.Boolean) }),
      "Diagnostics while streaming."
    ),
    trace: optional(Trace, "Names for the request in traces; other keys are allowed.")
  },
  own: {
    input: optional(
      Schema.Union([Schema.String, Schema.Array(JsonObject)]),
      "The conversation: text or items."
    ),
    instructions: optional(TextOrNull, "The system prompt."),
    previous_response_id: optional(NotStored, "Not supported: responses are not stored."),
    store: optional(
      Schema.Literal(false).annotate({ default: false }),
      "Responses are never stored."
    )
  }
}

/** All fields of a Responses-style request, in the order in which problems are reported. */
export const requestFields = joinGroups(responsesGroups)

/** The body of a Responses-style request. Unknown properties are accepted. */
export const ResponsesRequest = openStruct(requestFields).annotate({
  identifier: "ResponsesRequest"
})
export type ResponsesRequest = typeof ResponsesRequest.Type

/**
 * How a preset treats each field of a Responses-style request. `messages` belongs to the other
 * formats, but the specification lists it.
 */
export const responsesTable = makeTable(responsesGroups, {
  input: systemPrompt("is the conversation, whose leading system messages count as instructions"),
  instructions: systemPrompt("is the system prompt"),
  messages: ignore("is the content of one request"),
  previous_response_id: ignore("is not supported: responses are not stored"),
  store: ignore("has only one valid value")
})

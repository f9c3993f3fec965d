/**
 * The body of a messages request. Fields that a Responses-style request also has follow the same
 * rules; the other fields follow the public interface.
 */
import { Schema } from "effect"
import {
  Integer,
  IntOrNull,
  JsonObject,
  openStruct,
  optional,
  TextOrNull
} from "../schema/ObjectSchemas.ts"
import { type Field, keep, reasons, systemPrompt } from "./FieldTable.ts"
import {
  MessagesMetadata,
  openCacheControl,
  requestFields as responses,
  responsesTable
} from "./ResponsesRequest.ts"
import { Messages, System } from "./SystemMessages.ts"

// Tools of a messages request. A client tool needs no type, and has its parameters in
// `input_schema`.

const isReserved = (type: string): boolean => type === "custom"

/** A tool that the client runs. */
const CustomTool = openStruct({
  type: optional(Schema.NullOr(Schema.Literal("custom")), "May be left out."),
  name: Schema.String,
  description: optional(Schema.String, "What the tool does."),
  input_schema: JsonObject
}).annotate({ identifier: "CustomTool" })

/** A tool of any other type, which the provider or the gateway runs. */
const ProviderTool = openStruct({
  type: Schema.String.check(
    Schema.makeFilter((type: string) => !isReserved(type), {
      message: "must be a server tool",
      toJsonSchema: () => ({ not: { const: "custom" } })
    })
  )
}).annotate({ identifier: "ProviderTool" })

/** Any tool. */
const MessagesTool = Schema.Union([CustomTool, ProviderTool]).annotate({
  identifier: "MessagesTool"
})

const oneByOne = optional(Schema.Boolean, "Whether at most one tool is called at a time.")

/** Which tools a model can or must call. */
const MessagesToolChoice = Schema.Union([
  openStruct({ type: Schema.Literal("auto"), disable_parallel_tool_use: oneByOne }),
  openStruct({ type: Schema.Literal("any"), disable_parallel_tool_use: oneByOne }),
  openStruct({ type: Schema.Literal("none") }),
  openStruct({
    type: Schema.Literal("tool"),
    name: Schema.String,
    disable_parallel_tool_use: oneByOne
  })
]).annotate({ identifier: "MessagesToolChoice" })

const display = optional(TextOrNull, "How much of the thinking is shown.")

const kinds = ["enabled", "disabled", "adaptive"]

/** A known kind of thinking, or another kind, which is stored as sent. */
const Thinking = Schema.Union([
  openStruct({ type: Schema.Literal("enabled"), budget_tokens: Integer, display }),
  openStruct({ type: Schema.Literal("disabled") }),
  openStruct({ type: Schema.Literal("adaptive"), display }),
  openStruct({
    type: Schema.String.check(
      Schema.makeFilter((type: string) => !kinds.includes(type), {
        message: "must be a kind of thinking with all that it needs",
        toJsonSchema: () => ({ not: { enum: kinds } })
      })
    )
  })
]).annotate({ identifier: "Thinking" })

const OutputConfig = openStruct({
  effort: optional(TextOrNull, "How much work goes into the answer."),
  format: optional(Schema.NullOr(openStruct({ type: Schema.String })), "The form of the answer.")
}).annotate({ identifier: "OutputConfig" })

const ContextManagement = openStruct({
  edits: optional(
    Schema.Array(openStruct({ type: Schema.String })),
    "What is cleared or condensed when the conversation grows."
  )
}).annotate({ identifier: "ContextManagement" })

const McpServer = openStruct({
  name: Schema.String,
  url: optional(Schema.String, "Where the server is reached."),
  authorization_token: optional(TextOrNull, "A secret: it belongs in each request.")
}).annotate({ identifier: "McpServer" })

/** Every field of the body, in the order in which problems are reported. */
export const messagesFields = {
  cache_control: openCacheControl,
  container: optional(
    Schema.NullOr(Schema.Union([Schema.String, JsonObject])),
    "Where code runs, and the skills that are loaded there."
  ),
  context_management: optional(
    Schema.NullOr(ContextManagement),
    "How a conversation that grows too long is handled."
  ),
  inference_geo: optional(TextOrNull, "Where the request is processed."),
  max_tokens: optional(IntOrNull, "Most tokens of the answer."),
  mcp_servers: optional(
    Schema.NullOr(Schema.Array(McpServer)),
    "MCP servers whose tools may be called. Their tokens are not kept."
  ),
  messages: Messages.annotate({ description: "The conversation." }),
  metadata: optional(
    Schema.NullOr(MessagesMetadata),
    "Pairs of text that travel with the request."
  ),
  model: responses.model,
  models: responses.models,
  output_config: optional(Schema.NullOr(OutputConfig), "Effort and form of the answer."),
  plugins: responses.plugins,
  provider: responses.provider,
  route: responses.route,
  service_tier: optional(TextOrNull, "How the request is served."),
  session_id: responses.session_id,
  speed: optional(TextOrNull, "How fast the answer is made; `standard` when left out."),
  stop_sequences: optional(
    Schema.NullOr(Schema.Array(Schema.String)),
    "Texts that end the answer."
  ),
  stop_server_tools_when: responses.stop_server_tools_when,
  stream: responses.stream,
  system: optional(System, "The system prompt."),
  temperature: responses.temperature,
  thinking: optional(Schema.NullOr(Thinking), "Whether and how long the model thinks."),
  tool_choice: optional(MessagesToolChoice, "Which tools may or must be called."),
  tools: optional(Schema.Array(MessagesTool), "The tools of the request."),
  top_k: optional(IntOrNull, "Chooses among that many words."),
  top_p: responses.top_p,
  trace: responses.trace,
  user: responses.user
}

/** The body of a messages request. Unknown properties are accepted. */
export const MessagesRequest = openStruct(messagesFields).annotate({
  identifier: "MessagesRequest"
})
export type MessagesRequest = typeof MessagesRequest.Type

/** How a preset treats each field. */
export const messagesTable = {
  cache_control: responsesTable.cache_control,
  container: keep(reasons.tooling),
  context_management: keep(reasons.limit),
  inference_geo: keep(reasons.choice),
  max_tokens: keep(reasons.limit),
  mcp_servers: keep(reasons.tooling),
  messages: systemPrompt("contains system and developer messages, which end the system prompt"),
  metadata: responsesTable.metadata,
  model: responsesTable.model,
  models: responsesTable.models,
  output_config: keep(reasons.output),
  plugins: responsesTable.plugins,
  provider: responsesTable.provider,
  route: responsesTable.route,
  service_tier: responsesTable.service_tier,
  session_id: responsesTable.session_id,
  speed: keep(reasons.choice),
  stop_sequences: keep(reasons.limit),
  stop_server_tools_when: responsesTable.stop_server_tools_when,
  stream: responsesTable.stream,
  system: systemPrompt("begins the system prompt"),
  temperature: responsesTable.temperature,
  thinking: keep(reasons.thinking),
  tool_choice: responsesTable.tool_choice,
  tools: responsesTable.tools,
  top_k: responsesTable.top_k,
  top_p: responsesTable.top_p,
  trace: responsesTable.trace,
  user: responsesTable.user
} as const satisfies Record<keyof typeof messagesFields, Field>

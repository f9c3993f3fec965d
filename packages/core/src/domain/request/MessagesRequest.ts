/**
 * The body of a messages request. Fields shared with Responses-style requests follow the same
 * rules; the other fields follow the public API.
 */
import { Schema } from "effect"
import {
  Integer,
  IntOrNull,
  JsonObject,
  openStruct,
  optional,
  otherThan,
  TextOrNull
} from "../schema/ObjectSchemas.ts"
import { joinGroups, makeTable, systemPrompt } from "./FieldTable.ts"
import {
  MessagesMetadata,
  openCacheControl,
  responsesGroups as responses
} from "./ResponsesRequest.ts"
import { Messages, System } from "./SystemMessages.ts"

// Tools of a messages request. A client tool needs no type, and has its parameters in
// `input_schema`.

/** A tool that the client runs. */
const CustomTool = openStruct({
  type: optional(Schema.NullOr(Schema.Literal("custom")), "May be left out."),
  name: Schema.String,
  description: optional(Schema.String, "What the tool does."),
  input_schema: JsonObject
}).annotate({ identifier: "CustomTool" })

/** A tool of any other type, which the provider or the gateway runs. */
const ProviderTool = openStruct({
  type: otherThan(["custom"], "must be a server tool")
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

/** A thinking mode: a known type, or another type, which is stored as sent. */
const Thinking = Schema.Union([
  openStruct({ type: Schema.Literal("enabled"), budget_tokens: Integer, display }),
  openStruct({ type: Schema.Literal("disabled") }),
  openStruct({ type: Schema.Literal("adaptive"), display }),
  openStruct({
    type: otherThan(
      ["enabled", "disabled", "adaptive"],
      "must be a kind of thinking with all that it needs"
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

/** The fields of the body, grouped by their treatment in a preset. */
const groups = {
  choice: {
    ...responses.choice,
    inference_geo: optional(TextOrNull, "Where the request is processed."),
    service_tier: optional(TextOrNull, "How the request is served."),
    speed: optional(TextOrNull, "How fast the answer is made; `standard` when left out.")
  },
  sampling: {
    temperature: responses.sampling.temperature,
    top_k: optional(IntOrNull, "Chooses among that many words."),
    top_p: responses.sampling.top_p
  },
  thinking: {
    thinking: optional(Schema.NullOr(Thinking), "Whether and how long the model thinks.")
  },
  caching: {
    cache_control: openCacheControl
  },
  limit: {
    context_management: optional(
      Schema.NullOr(ContextManagement),
      "How a conversation that grows too long is handled."
    ),
    max_tokens: optional(IntOrNull, "Most tokens of the answer."),
    stop_sequences: optional(
      Schema.NullOr(Schema.Array(Schema.String)),
      "Texts that end the answer."
    ),
    stop_server_tools_when: responses.limit.stop_server_tools_when
  },
  output: {
    output_config: optional(Schema.NullOr(OutputConfig), "Effort and form of the answer.")
  },
  tooling: {
    container: optional(
      Schema.NullOr(Schema.Union([Schema.String, JsonObject])),
      "Where code runs, and the skills that are loaded there."
    ),
    mcp_servers: optional(
      Schema.NullOr(Schema.Array(McpServer)),
      "MCP servers whose tools may be called. Their tokens are not kept."
    ),
    tool_choice: optional(MessagesToolChoice, "Which tools may or must be called."),
    tools: optional(Schema.Array(MessagesTool), "The tools of the request.")
  },
  around: responses.around,
  transport: {
    stream: responses.transport.stream
  },
  identity: {
    metadata: optional(
      Schema.NullOr(MessagesMetadata),
      "Pairs of text that travel with the request."
    ),
    session_id: responses.identity.session_id,
    user: responses.identity.user
  },
  diagnosis: {
    trace: responses.diagnosis.trace
  },
  own: {
    messages: Messages.annotate({ description: "The conversation." }),
    system: optional(System, "The system prompt.")
  }
}

/** Every field of the body, in the order in which problems are reported. */
const messagesFields = joinGroups(groups)

/** The body of a messages request. Unknown properties are accepted. */
export const MessagesRequest = openStruct(messagesFields).annotate({
  identifier: "MessagesRequest"
})
export type MessagesRequest = typeof MessagesRequest.Type

/** How a preset treats each field. */
export const messagesTable = makeTable(groups, {
  messages: systemPrompt("contains system and developer messages, which end the system prompt"),
  system: systemPrompt("begins the system prompt")
})

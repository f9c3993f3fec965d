/**
 * The body of a messages request. Fields that Responses-style requests also have follow the same
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

// In a messages request, a client tool needs no type, and has its parameters in `input_schema`.

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

/** A tool in a messages request, of any kind. */
const MessagesTool = Schema.Union([CustomTool, ProviderTool]).annotate({
  identifier: "MessagesTool"
})

const oneByOne = optional(Schema.Boolean, "Whether at most one tool is called at a time.")

/** The tools that a model can or must call. */
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

const display = optional(TextOrNull, "The part of the thinking to show.")

/** The mode in which the model thinks: a known type, or another type, which is stored as sent. */
const Thinking = Schema.Union([
  openStruct({ type: Schema.Literal("enabled"), budget_tokens: Integer, display }),
  openStruct({ type: Schema.Literal("disabled") }),
  openStruct({ type: Schema.Literal("adaptive"), display }),
  openStruct({
    type: otherThan(
      ["enabled", "disabled", "adaptive"],
      "must be a thinking mode with all its required fields"
    )
  })
]).annotate({ identifier: "Thinking" })

const OutputConfig = openStruct({
  effort: optional(TextOrNull, "The effort put into the answer."),
  format: optional(Schema.NullOr(openStruct({ type: Schema.String })), "The format of the answer.")
}).annotate({ identifier: "OutputConfig" })

const ContextManagement = openStruct({
  edits: optional(
    Schema.Array(openStruct({ type: Schema.String })),
    "Content to clear or condense when the conversation becomes long."
  )
}).annotate({ identifier: "ContextManagement" })

const McpServer = openStruct({
  name: Schema.String,
  url: optional(Schema.String, "The URL of the server."),
  authorization_token: optional(TextOrNull, "A secret, to be sent with each request.")
}).annotate({ identifier: "McpServer" })

/** The fields of the body, grouped by how a preset treats them. */
const groups = {
  choice: {
    ...responses.choice,
    inference_geo: optional(TextOrNull, "The region in which the request is processed."),
    service_tier: optional(TextOrNull, "The service tier of the request."),
    speed: optional(TextOrNull, "The speed of the answer; `standard` by default.")
  },
  sampling: {
    temperature: responses.sampling.temperature,
    top_k: optional(IntOrNull, "Chooses only among this number of the most likely tokens."),
    top_p: responses.sampling.top_p
  },
  thinking: {
    thinking: optional(Schema.NullOr(Thinking), "Whether the model thinks, and for how long.")
  },
  caching: {
    cache_control: openCacheControl
  },
  limit: {
    context_management: optional(
      Schema.NullOr(ContextManagement),
      "Rules for shortening a conversation that becomes too long."
    ),
    max_tokens: optional(IntOrNull, "Maximum number of tokens in the answer."),
    stop_sequences: optional(
      Schema.NullOr(Schema.Array(Schema.String)),
      "Texts at which the answer ends."
    ),
    stop_server_tools_when: responses.limit.stop_server_tools_when
  },
  output: {
    output_config: optional(Schema.NullOr(OutputConfig), "Effort and format of the answer.")
  },
  tooling: {
    container: optional(
      Schema.NullOr(Schema.Union([Schema.String, JsonObject])),
      "The container in which code runs, and its skills."
    ),
    mcp_servers: optional(
      Schema.NullOr(Schema.Array(McpServer)),
      "MCP servers whose tools may be called. Their tokens are not kept."
    ),
    tool_choice: optional(MessagesToolChoice, "The tools that the model may or must call."),
    tools: optional(Schema.Array(MessagesTool), "The tools of the request.")
  },
  around: responses.around,
  transport: {
    stream: responses.transport.stream
  },
  identity: {
    metadata: optional(
      Schema.NullOr(MessagesMetadata),
      "Text values by name, for the sender's own use."
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

/** All fields of a messages request, in the order in which problems are reported. */
const messagesFields = joinGroups(groups)

/** The body of a messages request. Unknown properties are accepted. */
export const MessagesRequest = openStruct(messagesFields).annotate({
  identifier: "MessagesRequest"
})
export type MessagesRequest = typeof MessagesRequest.Type

/** How a preset treats each field of a messages request. */
export const messagesTable = makeTable(groups, {
  messages: systemPrompt("contains system and developer messages, which end the system prompt"),
  system: systemPrompt("begins the system prompt")
})

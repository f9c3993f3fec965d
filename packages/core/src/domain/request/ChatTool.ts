/**
 * Tools of a chat-completions request. A function stands one level deeper than in a Responses-style
 * request: its name and parameters are in `function`.
 */
import { Schema } from "effect"
import { JsonObject, openStruct, optional } from "../schema/Shape.ts"
import { deferral, ServerTool } from "./Tool.ts"

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
export const ChatTools = Schema.Array(ChatTool).check(deferral)

/** A word for all tools, or an object that names one. */
export const ChatToolChoice = Schema.Union([
  Schema.Literals(["auto", "none", "required"]),
  openStruct({ type: Schema.Literal("function"), function: openStruct({ name: Schema.String }) }),
  ServerTool
]).annotate({ identifier: "ChatToolChoice" })

/**
 * Tools of a messages request. A tool of the client needs no type; its parameters are called
 * `input_schema`.
 */
import { Schema } from "effect"
import { JsonObject, openStruct, optional } from "../schema/Shape.ts"

const isReserved = (type: string): boolean => type === "custom"

/** A tool that the client runs. */
const CustomTool = openStruct({
  type: optional(Schema.NullOr(Schema.Literal("custom")), "May be left out."),
  name: Schema.String,
  description: optional(Schema.String, "What the tool does."),
  input_schema: JsonObject
}).annotate({ identifier: "CustomTool" })

/** A tool that the provider or the gateway runs: any other type. */
const ProviderTool = openStruct({
  type: Schema.String.check(
    Schema.makeFilter((type: string) => !isReserved(type), {
      message: "must be a server tool",
      toJsonSchema: () => ({ not: { const: "custom" } })
    })
  )
}).annotate({ identifier: "ProviderTool" })

/** Any tool. */
export const MessagesTool = Schema.Union([CustomTool, ProviderTool]).annotate({
  identifier: "MessagesTool"
})

const oneByOne = optional(Schema.Boolean, "Whether at most one tool is called at a time.")

/** Which tools a model may or must call. */
export const MessagesToolChoice = Schema.Union([
  openStruct({ type: Schema.Literal("auto"), disable_parallel_tool_use: oneByOne }),
  openStruct({ type: Schema.Literal("any"), disable_parallel_tool_use: oneByOne }),
  openStruct({ type: Schema.Literal("none") }),
  openStruct({
    type: Schema.Literal("tool"),
    name: Schema.String,
    disable_parallel_tool_use: oneByOne
  })
]).annotate({ identifier: "MessagesToolChoice" })

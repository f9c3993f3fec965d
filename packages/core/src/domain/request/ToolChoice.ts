/**
 * Which tools a model may or must call.
 */
import { Schema } from "effect"
import { JsonObject, openStruct } from "../schema/Shape.ts"

const isReserved = (type: string): boolean => type === "function" || type === "allowed_tools"

/** One function that must be called. */
const FunctionChoice = openStruct({ type: Schema.Literal("function"), name: Schema.String })

/** A choice among some of the tools. */
const AllowedTools = openStruct({
  type: Schema.Literal("allowed_tools"),
  mode: Schema.Literals(["auto", "required"]),
  tools: Schema.Array(JsonObject)
})

/** A server tool that must be called: any other type. */
const ServerToolChoice = openStruct({
  type: Schema.String.check(
    Schema.makeFilter((type: string) => !isReserved(type), {
      message: "must be a server tool",
      toJsonSchema: () => ({ not: { enum: ["function", "allowed_tools"] } })
    })
  )
})

/** A word for all tools, or an object that names some. */
export const ToolChoice = Schema.Union([
  Schema.Literals(["auto", "none", "required"]),
  FunctionChoice,
  AllowedTools,
  ServerToolChoice
]).annotate({ identifier: "ToolChoice" })

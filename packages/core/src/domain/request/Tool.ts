/**
 * Tools that a model can call: client functions and gateway tools. Gateway tools are stored as
 * sent, because new kinds can appear at any time.
 */
import { Schema } from "effect"
import { JsonObject, openStruct, optional, otherThan } from "../schema/ObjectSchemas.ts"

/** A function that the client runs. */
const FunctionTool = openStruct({
  type: Schema.Literal("function"),
  name: Schema.String,
  description: optional(Schema.NullOr(Schema.String), "What the function does."),
  parameters: optional(Schema.NullOr(JsonObject), "A JSON Schema of the arguments."),
  strict: optional(Schema.NullOr(Schema.Boolean), "Whether arguments must match the schema."),
  async: optional(Schema.Boolean, "Whether the result may come later."),
  defer_loading: optional(
    Schema.Boolean,
    "Hides the tool until a tool search finds it. Requires a tool search and a visible tool."
  )
}).annotate({ identifier: "FunctionTool" })

/** A tool of any other type, which the gateway runs. */
export const ServerTool = openStruct({
  type: otherThan(["function"], "must be a server tool")
}).annotate({ identifier: "ServerTool" })

/** A tool in a Responses-style request, of any kind. */
const Tool = Schema.Union([FunctionTool, ServerTool]).annotate({ identifier: "Tool" })

/**
 * Returns a property of a tool. The tool may be malformed, because the rule below runs even if
 * there are other problems.
 */
const read = (tool: unknown, key: "type" | "defer_loading"): unknown =>
  typeof tool === "object" && tool !== null && Object.hasOwn(tool, key)
    ? (tool as Readonly<Record<string, unknown>>)[key]
    : undefined

const isDeferred = (tool: unknown): boolean => read(tool, "defer_loading") === true

const isDeferredFunction = (tool: unknown): boolean =>
  isDeferred(tool) && read(tool, "type") === "function"

const isSearch = (tool: unknown): boolean => {
  const type = read(tool, "type")
  return typeof type === "string" && type.endsWith("tool_search")
}

/**
 * A deferred function requires a tool search, which finds it, and another tool that is not
 * deferred.
 */
export const deferralRule = Schema.makeFilter<ReadonlyArray<unknown>>(
  (tools) => {
    const first = tools.findIndex(isDeferredFunction)
    if (first === -1) return []
    const path = [first, "defer_loading"]
    const isFindable = tools.some(isSearch)
    const isStartable = tools.some((tool) => !isSearch(tool) && !isDeferred(tool))
    return [
      ...(isFindable ? [] : [{ path, issue: "needs a tool_search tool" }]),
      ...(isStartable ? [] : [{ path, issue: "needs another tool that is not deferred" }])
    ]
  },
  { toJsonSchema: () => [{}, true] }
)

/** The tools in a Responses-style request. */
export const Tools = Schema.Array(Tool).check(deferralRule)

// A request can set which tools a model can or must call.

/** A tool choice that requires the model to call the given function. */
const FunctionChoice = openStruct({ type: Schema.Literal("function"), name: Schema.String })

/** A choice among some of the tools. */
const AllowedTools = openStruct({
  type: Schema.Literal("allowed_tools"),
  mode: Schema.Literals(["auto", "required"]),
  tools: Schema.Array(JsonObject)
})

/** A tool choice that requires the model to call the server tool of the given type. */
const ServerToolChoice = openStruct({
  type: otherThan(["function", "allowed_tools"], "must be a server tool")
})

/** The tools that a model may call: a keyword for all of them, or an object that names some. */
export const ToolChoice = Schema.Union([
  Schema.Literals(["auto", "none", "required"]),
  FunctionChoice,
  AllowedTools,
  ServerToolChoice
]).annotate({ identifier: "ToolChoice" })

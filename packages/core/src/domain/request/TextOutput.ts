/**
 * The form of the text that a model answers with.
 */
import { Schema } from "effect"
import { JsonObject, openStruct, optional } from "../schema/Shape.ts"

/** Plain text, some JSON, or JSON of a given schema. */
const TextFormat = Schema.Union([
  openStruct({ type: Schema.Literal("text") }),
  openStruct({ type: Schema.Literal("json_object") }),
  openStruct({
    type: Schema.Literal("json_schema"),
    name: Schema.String,
    schema: JsonObject,
    description: optional(Schema.String, "What the answer is for."),
    strict: optional(Schema.NullOr(Schema.Boolean), "Whether the answer must match the schema.")
  })
])

/** Format and length of the answer. */
export const TextOutput = openStruct({
  format: optional(TextFormat, "The form of the answer."),
  verbosity: optional(
    Schema.NullOr(Schema.Literals(["low", "medium", "high", "xhigh", "max"])),
    "How long the answer is."
  )
}).annotate({ identifier: "TextOutput" })

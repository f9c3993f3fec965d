/**
 * A stored prompt of a provider, referred to by its id and filled with variables.
 */
import { Schema } from "effect"
import { openStruct, optional } from "../schema/Shape.ts"

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))

/** A variable: text, or a part of the input selected by `type`. */
const PromptVariable = Schema.Union([
  Schema.String,
  openStruct({ type: Schema.Literal("input_text"), text: Schema.String }),
  openStruct({ type: Schema.Literal("input_image"), image_url: Text, file_id: Text, detail: Text }),
  openStruct({
    type: Schema.Literal("input_file"),
    file_id: Text,
    file_url: Text,
    file_data: Text,
    filename: Text
  })
])

/** Which prompt, and what it is filled with. */
export const Prompt = openStruct({
  id: Schema.String,
  variables: optional(
    Schema.NullOr(Schema.Record(Schema.String, PromptVariable)),
    "Values by the name of the variable."
  )
}).annotate({ identifier: "Prompt" })

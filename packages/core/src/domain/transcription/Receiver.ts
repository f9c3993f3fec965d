/**
 * Where a webhook goes and in which shape.
 */
import { Schema } from "effect"

// The names of the forms a transcript can be had in.

/** Four of the specification (create request parameters), three beyond. */
export const Modifier = Schema.Literals([
  "paragraph_json",
  "paragraph_text",
  "plain_text",
  "plain_json",
  "srt",
  "vtt",
  "word_json"
])
export type Modifier = typeof Modifier.Type

/** The receiver of a delivery. */
export const Receiver = Schema.Struct({
  url: Schema.String,
  /** Null sends the status JSON. */
  modifier: Schema.NullOr(Modifier)
})
export type Receiver = typeof Receiver.Type

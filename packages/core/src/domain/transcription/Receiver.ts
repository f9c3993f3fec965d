/** The receiver of a webhook, and the rendering that is sent to it. */
import { Schema } from "effect"

// The names of the renderings.

/** Four modifiers from the specification (create request parameters), and three more. */
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
  /** The modifier of the rendering; null for the status JSON. */
  modifier: Schema.NullOr(Modifier)
})
export type Receiver = typeof Receiver.Type

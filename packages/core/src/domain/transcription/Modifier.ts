/** The names of the forms a transcript can be had in. */
import { Schema } from "effect"

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

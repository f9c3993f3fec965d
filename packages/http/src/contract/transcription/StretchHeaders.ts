/**
 * The headers by which a player asks for a stretch of a recording, as the description shows them.
 * What cannot be read in them is passed over, as HTTP has it: the answer is the whole recording.
 */
import { Schema } from "effect"

const header = (description: string) =>
  Schema.optionalKey(Schema.String.annotate({ "x-schema": { type: "string", description } }))

/** All of them. */
export const stretchHeaders = {
  range: header(
    "One range of bytes, such as `bytes=0-1023`: it is answered with 206, or with 416."
  ),
  "if-range": header("The `ETag` of what the caller has of it: of another one, all is sent."),
  "if-none-match": header("The `ETag` of what the caller has: where it is still so, 304.")
}

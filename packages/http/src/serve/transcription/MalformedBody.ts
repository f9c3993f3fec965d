/**
 * The refusal of a body that cannot be read.
 */
import { Schema } from "effect"

/** The body does not match its content type, is too long, or ended early. */
export class MalformedBody extends Schema.TaggedError<MalformedBody>()("MalformedBody", {}) {
  override get message(): string {
    return "Invalid request body"
  }
}

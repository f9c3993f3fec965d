/**
 * Why a call in the form of OpenAI's audio API is not taken: the parameter, the kind of fault as
 * its clients know it, and the sentence.
 */
import { Schema } from "effect"

/** A parameter is missing, malformed, unknown, or asks for something that is not done here. */
export class SpeechRefused extends Schema.TaggedError<SpeechRefused>()("SpeechRefused", {
  parameter: Schema.NonEmptyString,
  code: Schema.Literals([
    "missing_required_parameter",
    "invalid_value",
    "unsupported_value",
    "unknown_parameter",
    "model_not_found"
  ]),
  detail: Schema.NonEmptyString
}) {
  override get message(): string {
    return this.detail
  }
}

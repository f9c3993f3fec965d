/** Defines the formats of preset files, and the error for a file with a problem. */
import { Schema } from "effect"
import { CliError } from "effect/cli"

export type FileFormat = "yaml" | "json"

/** Maximum length of a file in characters: four times the limit for a request. */
export const fileLengthMax = 8 * 1_048_576

/** The error for a preset file that is invalid or cannot be used. */
export class FileProblem extends Schema.TaggedError<FileProblem>()("FileProblem", {
  file: Schema.String,
  /** The line with the problem, counted from 1, or null if the problem concerns the whole file. */
  line: Schema.NullOr(Schema.Int),
  sentence: Schema.String
}) {
  override get message(): string {
    return `${this.file}${this.line === null ? "" : `:${this.line}`}: ${this.sentence}`
  }
  override get [CliError.userMessage](): string {
    return this.message
  }
}

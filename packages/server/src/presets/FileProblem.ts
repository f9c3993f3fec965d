/** The format of a preset file, and the problems that a file can have. */
import { Schema } from "effect"
import { CliError } from "effect/cli"

/** A preset file's format. */
export type FileFormat = "yaml" | "json"

/** Maximum length of a file in characters: four times the limit for a request. */
export const fileLengthMax = 8 * 1_048_576

/** The error for a preset file that is invalid or cannot be used. */
export class FileProblem extends Schema.TaggedError<FileProblem>()("FileProblem", {
  file: Schema.String,
  /** The line, counted from 1; null for the whole file. */
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

/** What is wrong with a file, and where. */
import { Schema } from "effect"
import { CliError } from "effect/cli"

/** A file that cannot be read as what it should be. */
export class FileProblem extends Schema.TaggedError<FileProblem>()("FileProblem", {
  file: Schema.String,
  /** From 1; null where the whole file is meant. */
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

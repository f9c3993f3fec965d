/** The files of presets as their reader and their writer know them, and what is wrong with one. */
import { Schema } from "effect"
import { CliError } from "effect/cli"

/** What a preset is written as. */
export type FileFormat = "yaml" | "json"

/** Longest file, in characters: four times what a request may be. */
export const fileLengthMax = 8 * 1_048_576

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

/** The reasons why a model could not be provided, each with a message that says what to do. */
import { Schema } from "effect"

/** The reasons why a model could not be provided. */
export const Obstacle = Schema.TaggedUnion({
  /** The model does not exist. */
  Unknown: { known: Schema.Array(Schema.String) },
  /** The source did not respond, or repeatedly broke the connection. */
  Unreachable: { source: Schema.String, detail: Schema.String },
  /** The downloaded file was not the expected one, and was deleted. */
  Different: { file: Schema.String },
  /** The directory cannot be read or written. */
  FolderUnusable: { folder: Schema.String, detail: Schema.String }
})
export type Obstacle = typeof Obstacle.Type

/** Matches the guard's error for an address that is not public. */
const isForbidden = (detail: string): boolean => /\bForbidden(?:Address|Name)\b/.test(detail)

const sentences = (model: string) =>
  Obstacle.match({
    Unknown: ({ known }) => `There is no model ${model}. There are: ${known.join(", ")}.`,
    Unreachable: ({ detail, source }) =>
      isForbidden(detail)
        ? `${source} is in a private network: name that network in VERBATIM_ALLOW_NETWORKS.`
        : `The model ${model} could not be downloaded from ${source} (${detail}). Try again, set ` +
          "VERBATIM_MODEL_SOURCE to a mirror, copy the directory of models (VERBATIM_MODELS) " +
          "from a machine with internet, or use no model: VERBATIM_TRANSCRIBER=pocketsphinx.",
    Different: ({ file }) =>
      `${file} of the model ${model} has an unexpected size or checksum, and was deleted. Try ` +
      "again, or set VERBATIM_MODEL_SOURCE to another source.",
    FolderUnusable: ({ detail, folder }) =>
      `The directory of models ${folder} cannot be used (${detail}). Set VERBATIM_MODELS to ` +
      "another one."
  })

/** A model could not be provided. */
export class ModelError extends Schema.TaggedError<ModelError>()("ModelError", {
  model: Schema.String,
  obstacle: Obstacle
}) {
  /** The problem and its remedy. */
  get sentence(): string {
    return sentences(this.model)(this.obstacle)
  }
  override get message(): string {
    return this.sentence
  }
}

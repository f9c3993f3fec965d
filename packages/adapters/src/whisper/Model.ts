/** Describes a model: its files with their sizes and checksums, its purpose and its licence. */
import { Schema } from "effect"

const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** A folder or file name that is valid on every system. */
const Name = Schema.String.check(
  Schema.isPattern(plainName, { expected: "letters, digits, dots, hyphens and underscores" })
)

/** One file of a model. */
export const ModelFile = Schema.Struct({
  /** The file's role in the engine, such as `encoder`. */
  role: Schema.Literals(["encoder", "decoder", "joiner", "tokens", "model"]),
  name: Name,
  byteLength: Schema.Int.check(Schema.isGreaterThan(0)),
  /** The SHA-256 hash in lower-case hexadecimal. */
  sha256: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)),
  /** The file's location: a path on the hub, or a complete URL. */
  location: Schema.String
})
export type ModelFile = typeof ModelFile.Type

/** The kinds of model. The last kind distinguishes voices; all other kinds recognise speech. */
export const ModelKind = Schema.Literals([
  "whisper",
  "transducer",
  "sense-voice",
  "moonshine",
  "embedding"
])
export type ModelKind = typeof ModelKind.Type

/** A model in a catalogue. */
export const Model = Schema.Struct({
  name: Name,
  kind: ModelKind,
  /** The model's description in the list of models. */
  description: Schema.String,
  licence: Schema.String,
  /**
   * ISO 639-1 codes of the languages that the model recognises. Default: every language in the
   * specification.
   */
  languages: Schema.optionalKey(Schema.Array(Schema.String)),
  files: Schema.Array(ModelFile)
})
export type Model = typeof Model.Type

/** Returns the number of bytes to download. */
export const byteLengthOf = ({ files }: Pick<Model, "files">): number =>
  files.reduce((sum, { byteLength }) => sum + byteLength, 0)

const speech = ["whisper", "transducer", "sense-voice", "moonshine"] as const

/** A model that recognises speech. */
export type SpeechModel = Model & { readonly kind: (typeof speech)[number] }

/** Whether a model can be given keywords. */
export const takesKeywords = ({ kind }: Pick<Model, "kind">): boolean => kind === "transducer"

/** Whether a model reports when the words or sentences of a piece are spoken. */
export const reportsTimes = ({ kind }: Pick<Model, "kind">): boolean => kind !== "moonshine"

/** Whether a model recognises speech. */
export const isSpeech = <M extends Pick<Model, "kind">>(
  model: M
): model is M & Pick<SpeechModel, "kind"> => speech.some((kind) => kind === model.kind)

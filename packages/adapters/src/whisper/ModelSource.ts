/**
 * Parses model sources: a hub like Hugging Face (`hub:https://…`), or a plain HTTP directory with
 * the same layout as the model directory: `<model>/<file>`.
 */
import type { Model, ModelFile } from "./Model.ts"

/** A parsed model source: a hub or a directory, with its address. */
export interface ModelSource {
  readonly _tag: "Hub" | "Directory"
  /** The source's address, without a trailing slash. */
  readonly address: string
}

/** The default source: a hub that serves the individual files of the exported models. */
export const defaultText = "hub:https://huggingface.co"

/** Describes the valid forms of a source. Completes the error message "Expected …". */
export const expected = "hub:https://<host>, or the http URL of a directory of models"

/**
 * A source's URL must not contain a user or password, because the address is shown, and because the
 * guard refuses credentials.
 */
const shape = /^(hub:)?(https?:\/\/[^\s?#/@]+(?:\/[^\s?#]*)?)$/i

/** Whether a string is a valid source. */
export const isText = (text: string): boolean => shape.test(text)

/** Parses the text of a valid source. */
export const fromText = (text: string): ModelSource => {
  const [, hub, address = ""] = shape.exec(text) ?? []
  return { _tag: hub === undefined ? "Directory" : "Hub", address: address.replace(/\/+$/, "") }
}

/** Returns the URL of a model's file at a source. */
export const urlOf = (
  source: ModelSource,
  { file, model }: { readonly model: Pick<Model, "name">; readonly file: ModelFile }
): string => {
  if (source._tag === "Directory") return `${source.address}/${model.name}/${file.name}`
  return file.location.startsWith("/") ? source.address + file.location : file.location
}

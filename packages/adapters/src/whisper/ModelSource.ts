/**
 * Where models are fetched from: a hub in the manner of Hugging Face (`hub:https://…`), or a plain
 * directory over HTTP that is laid out like the directory of models: `<model>/<file>`.
 */
import type { Model, ModelFile } from "./Model.ts"

/** A source. */
export interface ModelSource {
  readonly _tag: "Hub" | "Directory"
  /** Without a slash at the end. */
  readonly address: string
}

/** The hub that serves single files of the exported models. */
export const defaultText = "hub:https://huggingface.co"

/** What a text must look like; completes the sentence "Expected …". */
export const expected = "hub:https://<host>, or the http URL of a directory of models"

/** Without user and password: the address is shown, and the guard refuses them. */
const shape = /^(hub:)?(https?:\/\/[^\s?#/@]+(?:\/[^\s?#]*)?)$/i

/** Whether a text names a source. */
export const isText = (text: string): boolean => shape.test(text)

/** The source that a text names. */
export const fromText = (text: string): ModelSource => {
  const [, hub, address = ""] = shape.exec(text) ?? []
  return { _tag: hub === undefined ? "Directory" : "Hub", address: address.replace(/\/+$/, "") }
}

/** Where a file of a model is at a source. */
export const urlOf = (
  source: ModelSource,
  { file, model }: { readonly model: Pick<Model, "name">; readonly file: ModelFile }
): string => {
  if (source._tag === "Directory") return `${source.address}/${model.name}/${file.name}`
  return file.location.startsWith("/") ? source.address + file.location : file.location
}

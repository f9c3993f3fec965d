/**
 * Reads and writes preset references, in every form that gateway users write:
 *
 *     { "preset": "notes" }                      { "model": "@preset/notes" }
 *     { "model": "openai/gpt@preset/notes" }     and with @3 or @production after the slug
 *     { "prompt": { "id": "notes", "version": "3", "variables": { "name": "Ann" } } }
 */
import { isObject, type Json, type JsonObject, nonNull, objectOf, own, without } from "./Json.ts"
import { valuesField } from "./Variables.ts"

/**
 * A preset's slug with a version or a label. Without either, the reference means the designated
 * version.
 */
export interface Reference {
  readonly slug: string
  readonly version?: number
  readonly label?: string
}

/** A request and the preset that it names. */
export interface Referring {
  /** The reference as written, without its prefix. */
  readonly preset: string
  /** The request without its reference. */
  readonly request: JsonObject
}

/** Matches a slug: unreserved characters of RFC 3986, which include neither `@` nor `/`. */
const slugPattern = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,255}$/

const versionPattern = /^[1-9]\d{0,14}$/

/** Matches a label name. Label names never look like version numbers. */
export const labelPattern: RegExp = /^[a-z][a-z0-9_-]{0,62}$/

const scheme = "@preset/"

const trim = (preset: string): string =>
  preset.startsWith(scheme) ? preset.slice(scheme.length) : preset

/** Reads `slug`, `slug@3` or `slug@label`, with or without the prefix `@preset/`. */
export const parseReference = (text: string): Reference | undefined => {
  const [slug = "", chosen, ...rest] = trim(text).split("@", 3)
  if (rest.length > 0 || !slugPattern.test(slug)) return undefined
  if (chosen === undefined) return { slug }
  if (versionPattern.test(chosen)) return { slug, version: Number(chosen) }
  return labelPattern.test(chosen) ? { slug, label: chosen } : undefined
}

/** Writes a reference in its shortest form. */
export const formatReference = ({ label, slug, version }: Reference): string =>
  version === undefined && label === undefined ? slug : `${slug}@${version ?? label}`

/** Splits a `model` such as `openai/gpt@preset/notes` into the model and the preset. */
const splitModel = (
  model: string
): { readonly model: string; readonly preset: string } | undefined => {
  const start = model.indexOf(scheme)
  if (start === -1) return undefined
  const before = model.slice(0, start)
  // `openrouter/@preset/notes` contains no model, because a maker alone is not a model.
  return { model: before.endsWith("/") ? "" : before, preset: model.slice(start + scheme.length) }
}

/** Reads a preset from an OpenAI `prompt`. OpenAI's own prompt ids look different. */
const splitPrompt = (
  prompt: Json | undefined
): { readonly preset: string; readonly values: Json | undefined } | undefined => {
  if (!isObject(prompt)) return undefined
  const [id, version] = [own(prompt, "id"), nonNull(prompt, "version")]
  if (typeof id !== "string" || id.startsWith("pmpt_")) return undefined
  const chosen = typeof version === "string" ? version : JSON.stringify(version)
  const preset = version === undefined ? trim(id) : `${trim(id)}@${chosen}`
  return { preset, values: nonNull(prompt, valuesField) }
}

/** The reasons why a request has no usable reference. */
export type NoReference = "none" | "noText" | "twice"

/**
 * Takes the reference out of a request. Returns `none` if the request names no preset, `noText` if
 * its field `preset` is not a string, and `twice` if two fields name different presets. The
 * reference itself is not validated. Values in `prompt` become the request's variables.
 */
export const takeReference = (request: JsonObject): Referring | NoReference => {
  const field = own(request, "preset")
  if (field !== undefined && typeof field !== "string") return "noText"
  const named = own(request, "model")
  const ofModel = typeof named === "string" ? splitModel(named) : undefined
  const ofPrompt = splitPrompt(own(request, "prompt"))
  const [preset, ...others] = [field && trim(field), ofModel?.preset, ofPrompt?.preset].filter(
    (each) => each !== undefined
  )
  if (preset === undefined) return "none"
  if (others.some((other) => other !== preset)) return "twice"
  const values = ofPrompt?.values
  const given = own(request, valuesField)
  const filling = isObject(values) && isObject(given) ? { ...values, ...given } : (given ?? values)
  const rest = without(request, [
    "preset",
    ...(ofPrompt === undefined ? [] : ["prompt"]),
    ...(ofModel?.model === "" ? ["model"] : [])
  ])
  return {
    preset,
    request: {
      ...rest,
      ...objectOf({ model: ofModel?.model || undefined, [valuesField]: filling })
    }
  }
}

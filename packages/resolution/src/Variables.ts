/**
 * Fills the variables of a system prompt, such as `{{customer}}` or `{{ customer }}`, with values
 * from a request. The inserted values are not scanned for variables.
 */
import type { Lost } from "./FieldMapping.ts"
import { isObject, type Json, type JsonObject, own } from "./Json.ts"

const pattern = /\{\{ *(\w{1,64}) *\}\}/g

/** The request field that contains the values of variables. */
export const valuesField = "variables"

/**
 * Maximum length of a filled prompt, about a million tokens. Without this limit, a small request
 * could expand to an enormous prompt.
 */
const filledMax = 4_000_000

/** The number of times that each variable occurs, in order of first occurrence. */
type Places = ReadonlyMap<string, number>

/** Finds the variables in a prompt. */
export const placesIn = (prompt: string | null): Places => {
  const places = new Map<string, number>()
  for (const [, name = ""] of prompt?.matchAll(pattern) ?? []) {
    places.set(name, (places.get(name) ?? 0) + 1)
  }
  return places
}

/** Returns the names of a prompt's variables, in order of first occurrence. */
export const variablesOf = (prompt: string | null): ReadonlyArray<string> => [
  ...placesIn(prompt).keys()
]

/** The rule for variable names, as users read it. */
export const variableRule = "A variable's name has 1 to 64 letters from A to Z, digits and _."

/** Finds parts of a prompt that look like variables, such as `{{customer name}}`, but are not. */
export const mistakenVariables = (prompt: string): ReadonlyArray<string> => [
  ...new Set(prompt.replaceAll(pattern, " ").match(/\{\{[^{}\n]{0,80}(?:\}\})?/g))
]

/** The result of filling a prompt. */
interface Filled {
  readonly content: Json
  /** Names for which the request has a value but the prompt has no variable. */
  readonly lost: ReadonlyArray<Lost>
  /** The reason why the values cannot fill the prompt. */
  readonly unfilled?: string
}

const fillText = (text: string, values: JsonObject): string =>
  text.replaceAll(pattern, (whole, name: string) => String(own(values, name) ?? whole))

const fillIn = (content: Json, values: JsonObject): Json => {
  if (typeof content === "string") return fillText(content, values)
  const blocks: ReadonlyArray<Json> = Array.isArray(content) ? content : []
  return blocks.map((block) =>
    isObject(block) && typeof block.text === "string"
      ? { ...block, text: fillText(block.text, values) }
      : block
  )
}

const wrongIn = (places: Places, values: JsonObject): string | undefined => {
  let length = 0
  const missing: Array<string> = []
  for (const [name, count] of places) {
    const value = own(values, name)
    if (typeof value === "string") length += value.length * count
    else missing.push(name)
  }
  if (missing.length > 0) return `must have a text for ${missing.join(", ")}`
  return length > filledMax ? `must be at most ${filledMax} characters in the prompt` : undefined
}

/** Fills the variables in a prompt, which is a string or a list of blocks. */
export const fill = (
  content: Json,
  { places, values = null }: { places: Places; values: Json | undefined }
): Filled => {
  // Skip the search, because most prompts have no variables.
  if (values === null && places.size === 0) return { content, lost: [] }
  const given = isObject(values) ? values : {}
  const lost = Object.keys(given)
    .filter((name) => !places.has(name))
    .map((name) => ({ field: `${valuesField}.${name}`, reason: "the prompt has no such variable" }))
  const unfilled =
    values === null || isObject(values) ? wrongIn(places, given) : "must be an object of texts"
  if (unfilled !== undefined) return { content, lost, unfilled }
  return { content: places.size === 0 ? content : fillIn(content, given), lost }
}

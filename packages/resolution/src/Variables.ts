/**
 * Variables of a system prompt, `{{customer}}` or `{{ customer }}`, and the values of a request for
 * them. What is filled in is not read again.
 */
import type { Lost } from "./Idea.ts"
import { isObject, type Json, type JsonObject, own } from "./Json.ts"

const pattern = /\{\{ *(\w{1,64}) *\}\}/g

/** The field of a request that has the values. */
export const valuesField = "variables"

/** Most characters of a filled prompt: a million tokens. A small request could ask for more. */
const filledMax = 4_000_000

/** How often each variable stands in a prompt, in their order. */
type Places = ReadonlyMap<string, number>

/** Finds the variables of a prompt. */
export const placesIn = (prompt: string | null): Places => {
  const places = new Map<string, number>()
  for (const [, name = ""] of prompt?.matchAll(pattern) ?? []) {
    places.set(name, (places.get(name) ?? 0) + 1)
  }
  return places
}

/** The variables of a prompt, in their order. */
export const variablesOf = (prompt: string | null): ReadonlyArray<string> => [
  ...placesIn(prompt).keys()
]

/** A prompt with its values. */
interface Filled {
  readonly content: Json
  /** The values that have no place in the prompt. */
  readonly lost: ReadonlyArray<Lost>
  /** What the values must be, when the prompt cannot be filled with them. */
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

/** Fills a prompt, a text or blocks, in which the variables of `places` stand. */
export const fill = (
  content: Json,
  { places, values = null }: { places: Places; values: Json | undefined }
): Filled => {
  // Nearly all prompts have none.
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

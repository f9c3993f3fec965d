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

/** The names in a prompt, in their order, each as often as it stands there. */
export const placesIn = (prompt: string | null): ReadonlyArray<string> =>
  Array.from(prompt?.matchAll(pattern) ?? [], ([, name = ""]) => name)

/** The variables of a prompt, in their order. */
export const variablesOf = (prompt: string | null): ReadonlyArray<string> => [
  ...new Set(placesIn(prompt))
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
  text.replaceAll(pattern, (_, name: string) => String(own(values, name)))

const fillIn = (content: Json, values: JsonObject): Json => {
  if (typeof content === "string") return fillText(content, values)
  const blocks: ReadonlyArray<Json> = Array.isArray(content) ? content : []
  return blocks.map((block) =>
    isObject(block) && typeof block.text === "string"
      ? { ...block, text: fillText(block.text, values) }
      : block
  )
}

const wrongIn = (places: ReadonlyArray<string>, values: JsonObject): string | undefined => {
  let length = 0
  const missing = new Set<string>()
  for (const name of places) {
    const value = own(values, name)
    if (typeof value === "string") length += value.length
    else missing.add(name)
  }
  if (missing.size > 0) return `must have a text for ${[...missing].join(", ")}`
  return length > filledMax ? `must be at most ${filledMax} characters in the prompt` : undefined
}

/** Fills a prompt, a text or blocks, in which the names of `places` stand. */
export const fill = (
  content: Json,
  { places, values = null }: { places: ReadonlyArray<string>; values: Json | undefined }
): Filled => {
  // Nearly all prompts have none.
  if (values === null && places.length === 0) return { content, lost: [] }
  const given = isObject(values) ? values : {}
  const known = new Set(places)
  const lost = Object.keys(given)
    .filter((name) => !known.has(name))
    .map((name) => ({ field: `${valuesField}.${name}`, reason: "the prompt has no such variable" }))
  const unfilled =
    values === null || isObject(values) ? wrongIn(places, given) : "must be an object of texts"
  if (unfilled !== undefined) return { content, lost, unfilled }
  return { content: places.length === 0 ? content : fillIn(content, given), lost }
}

/** Types of parsed JSON, and functions that read JSON objects. */

/** A JSON value. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject

/** A JSON object. Its keys can be any strings, even `__proto__`. */
export interface JsonObject {
  readonly [name: string]: Json
}

/** Whether a value is an object, and neither a list nor null. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads an object's own member, ignoring inherited ones. */
export const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Returns the list under a key; an empty list for any other value. */
export const listIn = (object: JsonObject, name: string): ReadonlyArray<Json> => {
  const value = own(object, name)
  return Array.isArray(value) ? value : []
}

/** Returns the member `inner` of the object under `key`. */
export const within = (object: JsonObject, name: string, inner: string): Json | undefined => {
  const value = own(object, name)
  return isObject(value) ? own(value, inner) : undefined
}

/** Returns a member; undefined if it is missing or null. */
export const nonNull = (object: JsonObject, name: string): Json | undefined =>
  own(object, name) ?? undefined

/** Builds an object from the members that are not undefined. */
export const objectOf = (members: Readonly<Record<string, Json | undefined>>): JsonObject => {
  const object: Record<string, Json> = {}
  for (const [name, value] of Object.entries(members)) if (value !== undefined) object[name] = value
  return object
}

/** Returns an object without some of its members; the same object if no names are given. */
export const without = (object: JsonObject, names: ReadonlyArray<string>): JsonObject =>
  names.length === 0
    ? object
    : Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** Reads a number, even if it is kept as raw JSON; returns undefined for anything else. */
export const numberOf = (value: Json | undefined): number | undefined => {
  if (typeof value === "number") return value
  const digits = isObject(value) ? own(value, "rawJSON") : undefined
  return typeof digits === "string" ? Number(digits) : undefined
}

// JSON without loss of digits. A number that JavaScript would write differently is kept as raw
// JSON, and `JSON.stringify` writes it unchanged. On a platform without raw JSON, such a number is
// rounded.

/** `JSON.parse`, whose reviver also gets the source text (ECMAScript 2026). */
interface ExactParser {
  readonly parse: (text: string, reviver: Reviver) => Json
  readonly rawJSON?: (text: string) => Json
}
type Reviver = (key: string, value: Json, context?: { readonly source?: string }) => Json

const parser = JSON as unknown as ExactParser

/** Parses JSON; throws a `SyntaxError` like `JSON.parse`. */
export const parseExact = (text: string): Json => {
  const { rawJSON } = parser
  if (rawJSON === undefined) return JSON.parse(text)
  return parser.parse(text, (_, value, context) =>
    typeof value !== "number" || context?.source === undefined || String(value) === context.source
      ? value
      : rawJSON(context.source)
  )
}

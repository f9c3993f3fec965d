/**
 * JSON as it was parsed, and how its objects are read.
 */

/** A value of JSON. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject

/** An object of JSON. A name may be anything, `__proto__` too. */
export interface JsonObject {
  readonly [name: string]: Json
}

/** Whether a value is an object, and no list. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What an object itself says under a name; never what it inherits. */
export const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** A list under a name; an empty one for anything else. */
export const listIn = (object: JsonObject, name: string): ReadonlyArray<Json> => {
  const value = own(object, name)
  return Array.isArray(value) ? value : []
}

/** What an object says in the object under a name. */
export const within = (object: JsonObject, name: string, inner: string): Json | undefined => {
  const value = own(object, name)
  return isObject(value) ? own(value, inner) : undefined
}

/** A value that is neither missing nor null. */
export const said = (object: JsonObject, name: string): Json | undefined =>
  own(object, name) ?? undefined

/** An object of those members that are not undefined. */
export const objectOf = (members: Readonly<Record<string, Json | undefined>>): JsonObject => {
  const object: Record<string, Json> = {}
  for (const [name, value] of Object.entries(members)) if (value !== undefined) object[name] = value
  return object
}

/** The same object without some of its members. */
export const without = (object: JsonObject, names: ReadonlyArray<string>): JsonObject =>
  names.length === 0
    ? object
    : Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** A number, also one that keeps its digits as raw JSON; undefined for anything else. */
export const numberOf = (value: Json | undefined): number | undefined => {
  if (typeof value === "number") return value
  const digits = isObject(value) ? own(value, "rawJSON") : undefined
  return typeof digits === "string" ? Number(digits) : undefined
}

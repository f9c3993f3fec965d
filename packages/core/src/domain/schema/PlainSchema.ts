/**
 * Rewrites a derived JSON Schema as a person would write it. Open objects and string checks are
 * derived as an `allOf` with one member, which is inlined.
 */
import type { Schema } from "effect"

type Json = Schema.Json
type JsonObject = Schema.JsonObject

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isEmpty = (value: Json | undefined): boolean =>
  isObject(value) && Object.keys(value).length === 0

/**
 * Whether a rule for property names requires only that they are strings, and so accepts every name.
 */
const isAnyName = (schema: Json): boolean =>
  isObject(schema) &&
  (Array.isArray(schema.anyOf)
    ? schema.anyOf.some(isAnyName)
    : Object.keys(schema).length === 1 && schema.type === "string")

/** Replaces a schema without constraints with `true`, or leaves it out. */
const writePlainly = (name: string, value: Json): ReadonlyArray<readonly [string, Json]> => {
  if (name === "additionalProperties" && isEmpty(value)) return [[name, true]]
  return name === "propertyNames" && isAnyName(value) ? [] : [[name, value]]
}

/** Whether the meaning of a keyword depends on the keywords next to it. */
const isBound = ([name, value]: readonly [string, Json]): boolean =>
  /^(?:unevaluated|\$|if$|then$|else$|contains$|minContains$|maxContains$)/.test(name) ||
  (name === "additionalProperties" && value !== true)

/**
 * Merges a schema with the only member of its `allOf`; undefined if one schema cannot express both.
 */
const merge = (schema: JsonObject, member: Json | undefined): JsonObject | undefined => {
  // Merging another keyword for properties would change the meaning of `additionalProperties`.
  if (!isObject(member) || Object.hasOwn(schema, "additionalProperties")) return undefined
  const added = Object.entries(member).filter(
    ([name, value]) => !(name === "type" && schema.type === value)
  )
  const isApart = added.every((entry) => !isBound(entry) && !Object.hasOwn(schema, entry[0]))
  return isApart ? { ...schema, ...Object.fromEntries(added) } : undefined
}

const withoutOnly = (schema: JsonObject, keyword: "allOf" | "anyOf"): JsonObject => {
  const { [keyword]: members, ...rest } = schema
  if (!Array.isArray(members) || members.length !== 1) return schema
  return merge(rest, members[0]) ?? schema
}

/** Returns the document with every `allOf` that has one member inlined. Accepts any JSON. */
export const toPlain = (document: Json): Json => {
  if (Array.isArray(document)) return document.map(toPlain)
  if (!isObject(document)) return document
  const schema = Object.fromEntries(
    Object.entries(document).flatMap(([name, value]) => writePlainly(name, toPlain(value)))
  )
  return withoutOnly(withoutOnly(schema, "allOf"), "anyOf")
}

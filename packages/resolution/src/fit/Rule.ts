/** A rule of an endpoint on combinations of fields, and the field that yields if it is broken. */
import { isObject, type Json, own } from "../Json.ts"

/** The fields of a request: a map, since a name can be `__proto__`. */
export type Fields = ReadonlyMap<string, Json>

/** A field that can yield: to another value, or completely. */
export interface Mend {
  readonly field: string
  /** The value that fits; undefined if none does. */
  readonly fitted?: (fields: Fields) => Json | undefined
}

/** A rule of an endpoint. */
export interface Rule {
  /** The provider's reference. */
  readonly source: string
  /** The rule as a sentence. */
  readonly says: string
  /** The fields to which the rule applies. */
  readonly fields: ReadonlyArray<string>
  readonly isBroken: (fields: Fields) => boolean
  /** The possible fixes, in order of preference. */
  readonly mends: ReadonlyArray<Mend>
}

/** The list in a field; an empty list otherwise. */
export const listIn = (fields: Fields, name: string): ReadonlyArray<Json> => {
  const value = fields.get(name)
  return Array.isArray(value) ? value : []
}

/** A member of the object in a field. */
export const memberOf = (fields: Fields, name: string, member: string): Json | undefined => {
  const value = fields.get(name)
  return isObject(value) ? own(value, member) : undefined
}

/** Whether a value is missing or null. */
export const isNone = (value: Json | undefined): boolean => value === undefined || value === null

/** The rule that all formats share. */
export const choiceAmongTools = (
  source: string,
  isAmongTools: (fields: Fields) => boolean
): Rule => ({
  source,
  says: "tool_choice is among the tools of the request",
  fields: ["tool_choice", "tools"],
  isBroken: (fields) => !(isNone(fields.get("tool_choice")) || isAmongTools(fields)),
  mends: [{ field: "tool_choice" }]
})

/**
 * An endpoint's rule on combinations of fields, and the field that changes if the rule is broken.
 */
import { isObject, type Json, own } from "../Json.ts"

/** A request's fields, as a map because a name can be `__proto__`. */
export type Fields = ReadonlyMap<string, Json>

/** A field that can be changed to another value, or removed. */
export interface Mend {
  readonly field: string
  /** Returns the value that fits; undefined if no value fits. */
  readonly fitted?: (fields: Fields) => Json | undefined
}

/** A rule that an endpoint applies to combinations of fields. */
export interface Rule {
  /** The page in the provider's reference that states the rule. */
  readonly source: string
  /** The rule as a sentence. */
  readonly says: string
  /** The fields to which the rule applies. */
  readonly fields: ReadonlyArray<string>
  readonly isBroken: (fields: Fields) => boolean
  /** The possible fixes, in order of preference. */
  readonly mends: ReadonlyArray<Mend>
}

/** Returns the list in a field; an empty list for any other value. */
export const listIn = (fields: Fields, name: string): ReadonlyArray<Json> => {
  const value = fields.get(name)
  return Array.isArray(value) ? value : []
}

/** Returns a member of the object in a field. */
export const memberOf = (fields: Fields, name: string, member: string): Json | undefined => {
  const value = fields.get(name)
  return isObject(value) ? own(value, member) : undefined
}

/** Whether a value is missing or null. */
export const isNone = (value: Json | undefined): boolean => value === undefined || value === null

/** Returns the rule on tool choice that all formats share. */
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

/** Defines the form of an endpoint's rules on combinations of fields, each with its fixes. */
import { isObject, type Json, own } from "../Json.ts"

/** A request's fields, in a map because a field can be named `__proto__`. */
export type Fields = ReadonlyMap<string, Json>

/** A field that is changed or removed to fix a broken rule. */
export interface Mend {
  readonly field: string
  /** Returns a value that obeys the rule; undefined removes the field. */
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

/** Builds the rule on tool choice that all formats share. */
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

/**
 * What an endpoint asks of the fields of a request together, and which of them yields when a preset
 * breaks it.
 */
import { isObject, type Json, own } from "../Json.ts"

/** The fields of a request. A name may be `__proto__`, so this is no object. */
export type Fields = ReadonlyMap<string, Json>

/** A field that may yield: to another value, or altogether. */
export interface Mend {
  readonly field: string
  /** The value that fits; undefined where none does. */
  readonly fitted?: (fields: Fields) => Json | undefined
}

/** One rule of an endpoint. */
export interface Rule {
  /** Where the maker of the format says so. */
  readonly source: string
  /** What it says. */
  readonly says: string
  /** The fields that it is about. */
  readonly fields: ReadonlyArray<string>
  readonly isBroken: (fields: Fields) => boolean
  /** What yields, the first one first. */
  readonly mends: ReadonlyArray<Mend>
}

/** A list in a field; an empty one where there is none. */
export const listIn = (fields: Fields, name: string): ReadonlyArray<Json> => {
  const value = fields.get(name)
  return Array.isArray(value) ? value : []
}

/** A member of the object in a field. */
export const memberOf = (fields: Fields, name: string, member: string): Json | undefined => {
  const value = fields.get(name)
  return isObject(value) ? own(value, member) : undefined
}

/** Whether a value says nothing. */
export const isNone = (value: Json | undefined): boolean => value === undefined || value === null

/** The rule that holds in every format. */
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

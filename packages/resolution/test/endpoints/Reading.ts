/** Functions that endpoint rules use to read requests. */
import type { Json, JsonObject } from "#src/index"

/** A rule that an endpoint applies to requests, with its source. */
export interface EndpointRule {
  /** The page of the reference that states the rule. */
  readonly source: string
  readonly rule: string
  readonly holds: (request: JsonObject) => boolean
}

/** Returns the value if it is an object, and otherwise an empty object. */
export const object = (value: Json | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

/** Returns the value if it is a list, and otherwise an empty list. */
export const list = (value: Json | undefined): ReadonlyArray<Json> =>
  Array.isArray(value) ? value : []

/** Whether a number is missing or within the bounds. */
export const within = (value: Json | undefined, min: number, max: number): boolean =>
  value === undefined || value === null || (Number(value) >= min && Number(value) <= max)

/** Whether a value is present and not null. */
export const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null

/** Lists a schema and every schema within it. */
const schemasIn = (schema: Json | undefined): ReadonlyArray<JsonObject> => {
  const { anyOf, items, properties } = object(schema)
  const inner = [...Object.values(object(properties)), ...list(anyOf), ...(items ? [items] : [])]
  return [object(schema), ...inner.flatMap(schemasIn)]
}

/** Whether all objects in a schema allow only the named properties. */
export const isClosed = (schema: Json | undefined): boolean =>
  schemasIn(schema).every(
    ({ additionalProperties, type }) => type !== "object" || additionalProperties === false
  )

/** Whether a schema requires all of its properties. */
export const isComplete = (schema: Json | undefined): boolean =>
  schemasIn(schema).every(({ properties, required }) =>
    Object.keys(object(properties)).every((name) => list(required).includes(name))
  )

/** Returns a tool's name if the tool has it as a direct member. */
export const flatName = (tool: Json): Json | undefined => object(tool).name

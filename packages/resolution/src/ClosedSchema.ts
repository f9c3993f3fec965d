/**
 * Converts JSON Schemas into the form that structured outputs require: objects without additional
 * properties, and values without limits.
 */
import { isObject, type Json, type JsonObject, listIn, numberOf, own } from "./Json.ts"

/** Maximum depth of a schema, which is also the maximum depth of a body. */
const depthMax = 64

/**
 * Keywords that limit values, such as a minimum length, and that structured outputs do not support.
 */
const limits = new Set([
  ...["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"],
  ...["maxLength", "minLength", "maxItems", "uniqueItems", "maxProperties", "minProperties"]
])

const isLimit = (name: string, value: Json): boolean =>
  limits.has(name) || (name === "minItems" && (numberOf(value) ?? 0) > 1)

/**
 * Keywords that contain schemas: an object of named schemas, a list of schemas, or a single schema.
 */
const named = new Set(["properties", "$defs", "definitions"])
const listed = new Set(["anyOf", "allOf", "oneOf", "prefixItems"])

const describesObjects = (schema: JsonObject): boolean => {
  const type = own(schema, "type")
  const types: ReadonlyArray<Json | undefined> = Array.isArray(type) ? type : [type]
  return types.includes("object") || isObject(own(schema, "properties"))
}

/**
 * Whether an object schema can be closed. A closed object without named properties would accept
 * only `{}`.
 */
const canClose = (schema: JsonObject): boolean => {
  const others = own(schema, "additionalProperties") ?? true
  if (others === false || !describesObjects(schema)) return true
  return others === true && Object.keys(Object(own(schema, "properties"))).length > 0
}

/**
 * Thrown if a schema cannot be closed because one of its objects must accept properties of any
 * name.
 */
class NotClosable extends Error {}

class Closing {
  isChanged = false

  close(schema: Json, depth: number): Json {
    if (!isObject(schema) || depth > depthMax || !canClose(schema)) throw new NotClosable()
    const members: Array<readonly [string, Json]> = []
    for (const [name, value] of Object.entries(schema)) {
      if (isLimit(name, value)) this.isChanged = true
      else members.push([name, this.#closeMember(name, value, depth + 1)])
    }
    if (describesObjects(schema) && own(schema, "additionalProperties") !== false) {
      this.isChanged = true
      members.push(["additionalProperties", false])
    }
    return Object.fromEntries(members)
  }

  #closeMember(name: string, value: Json, depth: number): Json {
    if (name === "items") return this.close(value, depth)
    if (listed.has(name) && Array.isArray(value)) {
      return value.map((each) => this.close(each, depth))
    }
    if (!named.has(name) || !isObject(value)) return value
    const schemas = Object.entries(value).map(
      ([each, schema]) => [each, this.close(schema, depth)] as const
    )
    return Object.fromEntries(schemas)
  }
}

/** The result of closing a schema. */
interface ClosedSchema {
  readonly schema: Json
  /** Whether closing changed the schema's meaning. */
  readonly isChanged: boolean
}

/** Closes a schema; returns undefined if an object must accept properties of any name. */
export const closeSchema = (schema: Json): ClosedSchema | undefined => {
  const closing = new Closing()
  try {
    return { schema: closing.close(schema, 0), isChanged: closing.isChanged }
  } catch (error) {
    if (error instanceof NotClosable) return undefined
    throw error
  }
}

/** Whether every object requires all of its properties, which strict mode demands. */
export const isAllRequired = (schema: Json, depth = 0): boolean => {
  if (Array.isArray(schema)) return schema.every((each) => isAllRequired(each, depth + 1))
  if (!isObject(schema) || depth > 2 * depthMax) return !isObject(schema)
  const names = Object.keys(Object(own(schema, "properties")))
  const required = new Set(listIn(schema, "required"))
  if (isObject(own(schema, "properties")) && !names.every((name) => required.has(name)))
    return false
  return Object.values(schema).every((each) => isAllRequired(each, depth + 1))
}

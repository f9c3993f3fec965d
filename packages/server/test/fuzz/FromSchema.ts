/**
 * Values that a JSON Schema of the API describes, and now and then others. Sampled loosely: what a
 * server says to those that do not pass is part of the question.
 */
import * as fc from "fast-check"
import { anything, integers, numbers, strings } from "./Values.ts"

/** What is read of a schema. The rest of it only narrows. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
}

/** What is known beside a schema: what it refers to, and values for properties of a name. */
export interface Known {
  readonly schemas: Readonly<Record<string, Schema>>
  readonly named: Readonly<Record<string, fc.Arbitrary<unknown>>>
  /** Optional properties of which an object that has them gets one. */
  readonly likely: ReadonlyArray<string>
}

const depthMax = 6

/** Few of forty properties: a body in which each is wrong says little about any. */
const propertyMax = 4

const objectOf = (schema: Schema, known: Known, depth: number): fc.Arbitrary<unknown> => {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return fc.dictionary(strings, anything, { maxKeys: 3 })
  const required = new Set(schema.required)
  const optional = properties.flatMap(([name]) => (required.has(name) ? [] : [name]))
  const valueOf = (name: string) =>
    known.named[name] ?? ofSchema(schema.properties?.[name] ?? {}, known, depth + 1)
  const few = fc.subarray(optional, { maxLength: Math.min(propertyMax, optional.length) })
  const likely = known.likely.filter((name) => optional.includes(name))
  return fc
    .tuple(few, likely.length === 0 ? fc.constant("") : fc.constantFrom(...likely))
    .map(([chosen, one]) => new Set([...required, ...chosen, ...(one === "" ? [] : [one])]))
    .chain((names) =>
      fc.record(Object.fromEntries([...names].map((name) => [name, valueOf(name)])))
    )
}

const ofType = (type: string, schema: Schema, known: Known, depth: number) => {
  const kinds: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
    object: () => objectOf(schema, known, depth),
    array: () => fc.array(ofSchema(schema.items ?? {}, known, depth + 1), { maxLength: 3 }),
    string: () => strings,
    integer: () => integers(schema),
    number: () => fc.oneof(integers(schema), numbers),
    boolean: () => fc.boolean()
  }
  return kinds[type]?.() ?? fc.constant(null)
}

const described = (schema: Schema, known: Known, depth: number): fc.Arbitrary<unknown> => {
  if (depth > depthMax) return fc.constantFrom<unknown>(null, "x", 1)
  if (schema.$ref !== undefined) {
    return ofSchema(known.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, known, depth + 1)
  }
  if ("const" in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  // What else is said of an object with properties only narrows it.
  if (schema.properties !== undefined) return objectOf(schema, known, depth)
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (choices.length > 0) {
    return fc.oneof(...choices.map((each) => ofSchema(each, known, depth + 1)))
  }
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return anything
  return fc.oneof(...types.map((type) => ofType(type, schema, known, depth)))
}

/** Values of a schema; one in thirty is anything. */
export const ofSchema = (schema: Schema, known: Known, depth = 0): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 29, arbitrary: described(schema, known, depth) },
    { weight: 1, arbitrary: anything }
  )

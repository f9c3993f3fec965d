/**
 * Generates requests to the API from its description, with values that match the schemas and with
 * values that do not.
 */
import * as fc from "fast-check"

const odd = [
  "",
  "\u0000",
  "\ud800",
  "../../etc/passwd",
  "' OR 1=1 --",
  "$(id)",
  "<script>alert(1)</script>",
  "%00",
  "NaN",
  "-1",
  "null",
  "\r\nx: y",
  "x".repeat(300),
  "é".repeat(5_000)
]

/** Generates strings of any characters, most of them short. */
const strings: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom(...odd) }
)

const numbers: fc.Arbitrary<number> = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1, -1, 0.5, 1e21, 2 ** 53, -(2 ** 63), 5e-324, 1.7e308)
)

const span = 1_000_000

/** Generates whole numbers within the bounds, and one beyond each bound. */
const integers = (bounds: {
  readonly minimum?: number
  readonly maximum?: number
}): fc.Arbitrary<number> => {
  const min = Math.max(bounds.minimum ?? -1, -span)
  const max = Math.max(min, Math.min(bounds.maximum ?? 1_000, span))
  return fc.integer({ min: min - 1, max: max + 1 })
}

const anything: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false, {}, []),
    strings,
    numbers,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(strings, fc.constantFrom("__proto__", "type", "id")), tie("value"), {
      maxKeys: 3
    })
  )
})).value

/** The keywords of a schema that are used here. All others only restrict the values further. */
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

/** Referenced schemas by name. */
type Known = Readonly<Record<string, Schema>>

const depthMax = 6

/**
 * Maximum number of generated properties. A body in which everything is wrong says little about any
 * one property.
 */
const propertyMax = 4

const objectOf = (schema: Schema, known: Known, depth: number): fc.Arbitrary<unknown> => {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return fc.dictionary(strings, anything, { maxKeys: 3 })
  const required = new Set(schema.required)
  const optional = properties.flatMap(([name]) => (required.has(name) ? [] : [name]))
  const valueOf = (name: string) => ofSchema(schema.properties?.[name] ?? {}, known, depth + 1)
  return fc
    .subarray(optional, { maxLength: Math.min(propertyMax, optional.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries([...required, ...chosen].map((name) => [name, valueOf(name)])))
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
    return ofSchema(known[schema.$ref.split("/").at(-1) ?? ""] ?? {}, known, depth + 1)
  }
  if ("const" in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  // If a schema lists properties, its other keywords only restrict the values further.
  if (schema.properties !== undefined) return objectOf(schema, known, depth)
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (choices.length > 0) {
    return fc.oneof(...choices.map((each) => ofSchema(each, known, depth + 1)))
  }
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return anything
  return fc.oneof(...types.map((type) => ofType(type, schema, known, depth)))
}

/** Generates values for a schema. One value in thirty is arbitrary. */
export const ofSchema = (schema: Schema, known: Known, depth = 0): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 29, arbitrary: described(schema, known, depth) },
    { weight: 1, arbitrary: anything }
  )

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

interface Operation {
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly servers?: ReadonlyArray<{ readonly url: string }>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
}

/** The parts of the API description that are used here. */
export interface Description {
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** An operation, with the parts of its requests that can vary. */
export interface Route {
  readonly method: string
  /** The path with parameter names in braces, such as `/v1/presets/{slug}`. */
  readonly path: string
  readonly query: Readonly<Record<string, Schema>>
  /** The content types and schemas of bodies. */
  readonly bodies: ReadonlyArray<readonly [type: string, schema: Schema]>
  /** Whether the operation needs an operator key. */
  readonly isOperators: boolean
}

const methods = ["get", "post", "put", "patch", "delete"] as const

const parametersIn = (operation: Operation, place: string) =>
  Object.fromEntries(
    (operation.parameters ?? []).flatMap((each) =>
      each.in === place ? [[each.name, each.schema]] : []
    )
  )

const rootOf = (servers: Description["servers"] | undefined): string =>
  (servers?.[0]?.url ?? "").replace(/\/$/, "")

/** Lists all operations. */
export const routesOf = (description: Description): ReadonlyArray<Route> =>
  Object.entries(description.paths).flatMap(([path, item]) =>
    methods.flatMap((method): ReadonlyArray<Route> => {
      const operation = item[method] as Operation | undefined
      if (operation === undefined) return []
      const own = item.servers as Description["servers"] | undefined
      return [
        {
          method: method.toUpperCase(),
          path: `${rootOf(own ?? description.servers)}${path}`,
          query: parametersIn(operation, "query"),
          bodies: Object.entries(operation.requestBody?.content ?? {}).map(
            ([type, { schema }]) => [type, schema] as const
          ),
          isOperators: (operation.security ?? []).some((each) => "operator" in each)
        }
      ]
    })
  )

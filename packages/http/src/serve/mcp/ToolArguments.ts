/**
 * Describes the arguments of tools as JSON Schema. The schemas come from the path parameters, query
 * parameters and body fields of the operations that the tools call.
 */
import { Predicate } from "effect"
import { HttpApi, type HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { describeParameter, options } from "../../contract/Description.ts"

export type Json = Readonly<Record<string, unknown>>

/** An operation's method and path, and the schemas of its inputs. */
export interface CalledOperation {
  readonly method: string
  /** The path, with parameters in braces. */
  readonly path: string
  readonly inPath: ReadonlySet<string>
  readonly inQuery: ReadonlySet<string>
  /** The schemas of the parameters and of the body's fields, keyed by name. */
  readonly properties: Json
  readonly required: ReadonlyArray<string>
  /** The schema of the whole body. */
  readonly body: Json
}

/** The operations that tools call, keyed by short names, and the schemas that they refer to. */
export interface CalledOperations<Name extends string> {
  readonly operations: Readonly<Record<Name, CalledOperation>>
  readonly schemas: Json
}

const prefix = "#/components/schemas/"

/** Rewrites references so that they are relative to a tool's own definitions. */
const relocate = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(`"${prefix}`, '"#/$defs/'))

const describeOperation = (
  [path, method, operation]: readonly [string, string, OpenApi.OpenAPISpecOperation],
  schemas: Json
): CalledOperation => {
  const parameters = operation.parameters.map(describeParameter)
  const named = (place: string) => parameters.filter((each) => each.in === place)
  const [inPath, inQuery] = [named("path"), named("query")]
  const sent = operation.requestBody?.content["application/json"]?.schema ?? {}
  const name = typeof sent.$ref === "string" ? sent.$ref.slice(prefix.length) : ""
  const body: Json = Predicate.isObject(schemas[name]) ? schemas[name] : sent
  const fields = Predicate.isObject(body.properties) ? body.properties : {}
  const ofParameters = [...inPath, ...inQuery].map(({ description, name, schema }) => [
    name,
    { ...schema, ...(description === undefined ? {} : { description }) }
  ])
  return {
    method: method.toUpperCase(),
    path,
    inPath: new Set(inPath.map(({ name }) => name)),
    inQuery: new Set(inQuery.map(({ name }) => name)),
    properties: { ...Object.fromEntries(ofParameters), ...fields },
    required: [
      ...inPath.map(({ name }) => name),
      ...(Array.isArray(body.required) ? body.required.map(String) : [])
    ],
    body
  }
}

/** Finds the method, path and schemas of the operations that tools call. */
export const describeCalled = <Name extends string>(
  endpoints: Readonly<Record<Name, HttpApiEndpoint.Top>>
): CalledOperations<Name> => {
  const named = Object.entries<HttpApiEndpoint.Top>(endpoints)
  const groups = named.map(([name, endpoint]) => HttpApiGroup.make(name).add(endpoint))
  const [first, ...others] = groups
  if (first === undefined) return { operations: {} as never, schemas: {} }
  const spec = OpenApi.fromApi(HttpApi.make("tools").add(first, ...others), options)
  const operations = named.map(([name, { method, path }]) => {
    const template = path.replace(/:(\w+)/g, "{$1}")
    const item = spec.paths[template]
    const operation = Reflect.get(Object(item), method.toLowerCase())
    return [name, describeOperation([template, method, operation], spec.components.schemas)]
  })
  return { operations: Object.fromEntries(operations), schemas: spec.components.schemas }
}

/** Finds the schemas that a schema refers to, directly or indirectly. */
const findReferred = (schema: unknown, schemas: Json): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(
      /"#\/components\/schemas\/(\w+)"/g
    )) {
      if (found.has(name)) continue
      found.add(name)
      visit(schemas[name])
    }
  }
  visit(schema)
  return found
}

/** Builds the schema of a tool's arguments. The schema accepts no other arguments. */
export const toInputSchema = (
  { properties, required }: Pick<CalledOperation, "properties" | "required">,
  schemas: Json
) => {
  const names = [...findReferred(properties, schemas)]
  const definitions = Object.fromEntries(names.map((name) => [name, schemas[name]]))
  return {
    type: "object" as const,
    properties: relocate(properties) as Readonly<Record<string, Json>>,
    required,
    additionalProperties: false,
    ...(names.length === 0 ? {} : { $defs: relocate(definitions) })
  }
}

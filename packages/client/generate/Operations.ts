/**
 * Generates the client's methods from the OpenAPI document: the method `presets.get` calls the
 * operation with that id. A method takes the path parameters in order, then the body, then the
 * options.
 */
import { inspect } from "node:util"
import { wrap } from "./Types.ts"

interface Schema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, unknown>>
}

interface Media {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

type Content = Readonly<Record<string, Media>>

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly schema: { readonly type?: string }
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Content; readonly required?: boolean }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Document {
  readonly paths: object
  readonly components: { readonly schemas: object }
}

const json = "application/json"

/**
 * Operations that the client implements by hand, because their bodies are files or their responses
 * are not JSON.
 */
const handWritten: ReadonlySet<string> = new Set([
  "transcriptions.create",
  "transcriptions.result",
  "transcriptions.media",
  "transcriptions.events",
  "transcriptions.allEvents",
  "speech.transcribe"
])

interface Method {
  readonly id: string
  readonly path: string
  readonly verb: string
  readonly operation: Operation
}

const listMethods = (document: Document): ReadonlyArray<Method> =>
  Object.entries(document.paths as Record<string, Record<string, Operation>>)
    .flatMap(([path, { servers: _, ...verbs }]) =>
      Object.entries(verbs).map(([verb, operation]) => ({
        id: operation.operationId,
        path,
        verb: verb.toUpperCase(),
        operation
      }))
    )
    .filter(({ id }) => !handWritten.has(id))

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const takes = ({ parameters = [] }: Operation, name: string): boolean =>
  parameters.some((parameter) => parameter.name === name)

const bodyOf = ({ requestBody }: Operation) => requestBody?.content[json]

/** Returns the field names of each variant of a response. */
const listFields = (document: Document, schema: Schema): ReadonlyArray<ReadonlyArray<string>> => {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((each) => listFields(document, each))
  const name = schema.$ref?.split("/").at(-1)
  const found = (document.components.schemas as Record<string, Schema>)[name ?? ""] ?? schema
  if (found !== schema && found.anyOf !== undefined) return listFields(document, found)
  return [Object.keys(found.properties ?? {})]
}

/** Returns an operation's traits, which the comments of `Row` in the client explain. */
const listTraits = (document: Document, operation: Operation): ReadonlyArray<string> => {
  const answer = operation.responses[200]?.content?.[json]?.schema
  const isData =
    answer !== undefined && listFields(document, answer).every((fields) => fields.join() === "data")
  const paging = ["offset", "cursor"].filter((name) => takes(operation, name))
  return [
    ...(bodyOf(operation) === undefined ? [] : ["body"]),
    ...(takes(operation, "idempotency-key") ? ["key"] : []),
    // An operation with a cursor and a body acts on a page, so a loop over its result would be wrong.
    ...(isData ? ["data"] : bodyOf(operation) === undefined ? paging : [])
  ]
}

/** Parameters in examples. Every other parameter in a path is the id of something. */
const sampleParameters: Readonly<Record<string, unknown>> = {
  slug: "support-bot",
  label: "production",
  version: 1,
  external_id: "customer-42",
  model: "whisper-1",
  from: "1",
  to: "designated"
}

/** Writes a value as source text that fits into a comment. */
const literal = (value: unknown): string =>
  inspect(value, { breakLength: 50, depth: null }).replace(/'([^'"]*)'/g, '"$1"')

/** Writes a call of a method with the contract's example of a request. */
const sampleCall = ({ id, operation }: Method): string => {
  const { parameters = [] } = operation
  const body = bodyOf(operation)
  const query = parameters.filter((each) => each.in === "query" && each.required === true)
  const options = Object.fromEntries(query.map(({ name }) => [name, sampleParameters[name]]))
  const taken = [
    ...parameters
      .filter((each) => each.in === "path")
      .map(({ name }) => (name in sampleParameters ? literal(sampleParameters[name]) : "id")),
    ...(body === undefined
      ? []
      : [literal(body.example ?? Object.values(body.examples ?? {})[0]?.value)]),
    ...(query.length === 0 ? [] : [literal(options)])
  ]
  return `await client.${id}(${taken.join(", ")})`
}

const comment = (method: Method, indent: string): string => {
  const { description, summary = "" } = method.operation
  const rest =
    description === undefined ? [] : [`${indent} *`, ...wrap(description, `${indent} * `)]
  const sample = ["", "@example", "```ts", ...sampleCall(method).split("\n"), "```"]
  return [
    `${indent}/**`,
    ...wrap(summary, `${indent} * `),
    ...rest,
    ...sample.map((line) => `${indent} * ${line}`.trimEnd()),
    `${indent} */`
  ].join("\n")
}

/** Writes a method's type as source text. */
const signature = (document: Document, { id, operation }: Method): string => {
  const parameters = operation.parameters ?? []
  const isNeeded = parameters.some((each) => each.in === "query" && each.required === true)
  const quoted = JSON.stringify(id)
  const taken = [
    ...parameters
      .filter((each) => each.in === "path")
      .map(({ name, schema }) => {
        return `${camelCase(name)}: ${schema.type === "integer" ? "number" : "string"}`
      }),
    ...(bodyOf(operation) === undefined ? [] : [`body: Body<${quoted}>`]),
    `options${isNeeded ? "" : "?"}: Options<${quoted}>`
  ]
  const isPaged = listTraits(document, operation).some((trait) => /offset|cursor/.test(trait))
  return `(${taken.join(", ")}) => ${isPaged ? "Listed" : "Promise"}<Answer<${quoted}>>`
}

type Tree = Map<string, Method | Tree>

/** Groups methods by the parts of their ids, such as `presets` and `labels`. */
const toTree = (methods: ReadonlyArray<Method>): Tree => {
  const root: Tree = new Map()
  for (const method of methods) {
    const parts = method.id.split(".")
    const name = parts.pop() ?? ""
    let group = root
    for (const part of parts) {
      const inner = group.get(part) ?? new Map()
      if (!(inner instanceof Map)) throw new Error(`${method.id}: ${part} is a method`)
      group.set(part, inner)
      group = inner
    }
    group.set(name, method)
  }
  return root
}

const capitalised = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1)

/** Writes an interface for each group of methods, inner groups first. */
const writeGroups = (document: Document, [prefix, tree]: readonly [string, Tree]): string => {
  const nameOf = (key: string): string => `${prefix}${capitalised(key)}`
  const inner = [...tree].flatMap(([key, each]) =>
    each instanceof Map ? [writeGroups(document, [nameOf(key), each])] : []
  )
  const members = [...tree].map(([key, each]) =>
    each instanceof Map
      ? `  readonly ${key}: ${nameOf(key)}Operations`
      : `${comment(each, "  ")}\n  readonly ${key}: ${signature(document, each)}`
  )
  return [...inner, `export interface ${prefix}Operations {\n${members.join("\n")}\n}\n`].join("\n")
}

/** Writes the module with the table of methods and their types. */
export const writeOperations = (document: Document): string => {
  const methods = listMethods(document)
  const rows = methods.map(({ id, operation, path, verb }) => {
    const row = [verb, path, ...listTraits(document, operation)].join(" ")
    return `  ${JSON.stringify(id)}: ${JSON.stringify(row)}`
  })
  return `/** The operations of the API as methods. Generated by \`npm run build\`. */
import type { Answer, Body, Listed, Options } from "../OperationTypes.ts"

/** Method, path and traits of each operation. */
export const rows = {
${rows.join(",\n")}
} as const

${writeGroups(document, ["", toTree(methods)])}`
}

/** Writes the API reference, which shows every operation as a method. */

import type { OpenApi } from "effect/http-api"

type Operation = OpenApi.OpenAPISpecOperation

interface Schema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly enum?: ReadonlyArray<unknown>
  readonly items?: Schema
  readonly type?: ReadonlyArray<string> | string
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

/** Maximum number of listed values. A longer list is shown as its type. */
const valuesMax = 8

const typeOf = (schema: Schema): string => {
  const { $ref, allOf, anyOf, enum: values, items, type } = schema
  if ($ref !== undefined) return `\`${nameOf($ref)}\``
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(" or ")
  if (values !== undefined && values.length <= valuesMax) {
    return values.map((value) => `\`${JSON.stringify(value)}\``).join(", ")
  }
  if (items !== undefined) return `list of ${typeOf(items)}`
  const [only] = allOf ?? []
  if (type === undefined) return only === undefined ? "any JSON" : typeOf(only)
  return [type].flat().join(" or ")
}

const cell = (text: string): string => text.replace(/\s+/g, " ").replaceAll("|", "\\|").trim()

const rowOf = ({
  description = "",
  name,
  required,
  schema,
  ...parameter
}: OpenApi.OpenAPISpecParameter) => {
  const type = `${typeOf(schema)}${required ? "" : ", optional"}`
  const meaning = parameter.in === "header" ? `Header. ${description}` : description
  return `| \`${name}\` | ${cell(type)} | ${cell(meaning)} |`
}

const head = ["| parameter | type | meaning |", "| --- | --- | --- |"]

/** Writes a sentence on the first schema of a body, if there is one. */
const sentence = (title: string, content: OpenApi.OpenApiSpecContent = {}) =>
  Object.values(content)
    .slice(0, 1)
    .map(({ schema }) => `${title}: ${typeOf(schema)}.`)

const writeOperation = (verb: string, path: string, operation: Operation) => {
  const { description, operationId, parameters = [], requestBody, responses, summary } = operation
  const answer = Object.entries(responses).find(([status]) => status.startsWith("2"))
  const refused = Object.keys(responses).filter((status) => !status.startsWith("2"))
  return [
    `### \`${operationId}\``,
    "",
    `${summary}. \`${verb.toUpperCase()} ${path}\``,
    "",
    ...(description === undefined ? [] : [description, ""]),
    ...(parameters.length === 0 ? [] : [...head, ...parameters.map(rowOf), ""]),
    [
      ...sentence("Body", requestBody?.content),
      ...sentence("Answer", answer?.[1].content),
      ...(refused.length === 0 ? [] : [`Errors: ${refused.join(", ")}.`])
    ].join(" "),
    ""
  ]
}

const introduction = [
  "Every operation is a method of `@verbatim/client`, and of programs that embed Verbatim.",
  "A method takes the path parameters in order, then the body, then an object with the query",
  "parameters and with headers such as `idempotencyKey` and `ifMatch`. The client's",
  "[README](../packages/client/README.md) shows calls, and the methods that the client adds.",
  "This page is generated from the API's description, which a running server shows at `/docs` with",
  "the fields of all types. In TypeScript, `PresetAnswer` is the client's type",
  '`components["schemas"]["PresetAnswer"]`.',
  ""
]

/** Writes the reference page, with all operations by group. */
export const writeReference = ({ paths, ...root }: OpenApi.OpenAPISpec): string => {
  const operations = Object.entries(paths).flatMap(([path, item]) => {
    // A path's servers differ from the default ones.
    const { servers = root.servers, ...verbs } = item as Readonly<Record<string, Operation>> &
      Pick<OpenApi.OpenAPISpec, "servers">
    const address = `${servers?.[0]?.url ?? ""}${path}`.replace("//", "/")
    return Object.entries(verbs).map(([verb, operation]) => ({
      group: operation.tags[0],
      lines: writeOperation(verb, address, operation)
    }))
  })
  const groups = [...Map.groupBy(operations, ({ group }) => group)]
  const lines = groups.flatMap(([group, members]) => [
    `## ${group}`,
    "",
    ...members.flatMap((member) => member.lines)
  ])
  return `${["# API reference", "", ...introduction, ...lines].join("\n").trimEnd()}\n`
}

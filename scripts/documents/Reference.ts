/** Writes the API reference, which shows every operation as a method. */

interface Schema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly enum?: ReadonlyArray<unknown>
  readonly items?: Schema
  readonly type?: ReadonlyArray<string> | string
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
  readonly tags: ReadonlyArray<string>
}

/** The parts of an OpenAPI document shown in the reference. */
interface Description {
  readonly paths: object
  readonly servers?: ReadonlyArray<Server>
}

interface Server {
  readonly url: string
}

/** A path's operations by verb, and the path's servers if they differ from the default. */
type Verbs = Readonly<Record<string, Operation>> & {
  readonly servers?: ReadonlyArray<Server>
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

const rowOf = ({ description = "", name, required = false, schema, ...parameter }: Parameter) => {
  const type = `${typeOf(schema)}${required ? "" : ", optional"}`
  const meaning = parameter.in === "header" ? `Header. ${description}` : description
  return `| \`${name}\` | ${cell(type)} | ${cell(meaning)} |`
}

const head = ["| parameter | type | meaning |", "| --- | --- | --- |"]

const tableOf = (parameters: ReadonlyArray<Parameter>): ReadonlyArray<string> =>
  parameters.length === 0 ? [] : [...head, ...parameters.map(rowOf), ""]

const answerOf = ({ responses }: Operation): Schema | undefined => {
  const answered = Object.entries(responses).find(([status]) => status.startsWith("2"))
  return Object.values(answered?.[1].content ?? {})[0]?.schema
}

const writeOperation = (verb: string, path: string, operation: Operation) => {
  const { description, operationId, parameters = [], requestBody, responses, summary } = operation
  const answer = answerOf(operation)
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  const refused = Object.keys(responses).filter((status) => !status.startsWith("2"))
  return [
    `### \`${operationId}\``,
    "",
    `${summary}. \`${verb.toUpperCase()} ${path}\``,
    "",
    ...(description === undefined ? [] : [description, ""]),
    ...tableOf(parameters),
    [
      ...(body === undefined ? [] : [`Body: ${typeOf(body)}.`]),
      ...(answer === undefined ? [] : [`Answer: ${typeOf(answer)}.`]),
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
export const writeReference = (description: Description): string => {
  const paths = description.paths as Readonly<Record<string, Verbs>>
  const operations = Object.entries(paths).flatMap(
    ([path, { servers = description.servers, ...verbs }]) =>
      Object.entries(verbs).map(([verb, operation]) => ({
        verb,
        path: `${servers?.[0]?.url ?? ""}${path}`.replace("//", "/"),
        operation
      }))
  )
  const groups = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? "")
  const lines = [
    "# API reference",
    "",
    ...introduction,
    ...[...groups].flatMap(([group, members]) => [
      `## ${group}`,
      "",
      ...members.flatMap(({ operation, path, verb }) => writeOperation(verb, path, operation))
    ])
  ]
  return `${lines.join("\n").trimEnd()}\n`
}

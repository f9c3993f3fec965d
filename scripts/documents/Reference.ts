/** Writes the API reference: every operation as a method, then the types. */

interface Schema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
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

/** The parts of an OpenAPI document that the reference shows. */
interface Description {
  readonly paths: object
  readonly components: { readonly schemas: object }
  readonly servers?: ReadonlyArray<Server>
}

interface Server {
  readonly url: string
}

/** The operations of a path by verb, and the servers at which they are if not the usual ones. */
type Verbs = Readonly<Record<string, Operation>> & {
  readonly servers?: ReadonlyArray<Server>
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

const linkTo = (name: string): string => `[${name}](#${name.toLowerCase()})`

/** Longer lists of values are shown as their type. */
const valuesMax = 8

const typeOf = (schema: Schema): string => {
  const { $ref, allOf, anyOf, enum: values, items, type } = schema
  if ($ref !== undefined) return linkTo(nameOf($ref))
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

const table = (
  first: string,
  rows: ReadonlyArray<readonly [name: string, isRequired: boolean, schema: Schema, text?: string]>
): ReadonlyArray<string> =>
  rows.length === 0
    ? []
    : [
        `| ${first} | type | meaning |`,
        "| --- | --- | --- |",
        ...rows.map(([name, isRequired, schema, text = schema.description ?? ""]) => {
          const type = `${typeOf(schema)}${isRequired ? "" : ", optional"}`
          return `| \`${name}\` | ${cell(type)} | ${cell(text)} |`
        }),
        ""
      ]

const fieldsOf = ({ properties = {}, required = [] }: Schema) =>
  Object.entries(properties).map(
    ([name, schema]) => [name, required.includes(name), schema] as const
  )

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
    ...table(
      "parameter",
      parameters.map(
        ({ description: text = "", name, required = false, schema, ...parameter }) =>
          [name, required, schema, parameter.in === "header" ? `Header. ${text}` : text] as const
      )
    ),
    [
      ...(body === undefined ? [] : [`Body: ${typeOf(body)}.`]),
      ...(answer === undefined ? [] : [`Answer: ${typeOf(answer)}.`]),
      ...(refused.length === 0 ? [] : [`Errors: ${refused.join(", ")}.`])
    ].join(" "),
    ""
  ]
}

/** Adds the names of all schemas that a schema contains. */
const collect = (schema: Schema, schemas: Readonly<Record<string, Schema>>, found: Set<string>) => {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref)
    if (found.has(name)) return
    found.add(name)
    collect(schemas[name] ?? {}, schemas, found)
  }
  const inner = [schema.anyOf, schema.allOf, schema.items, Object.values(schema.properties ?? {})]
  for (const each of inner.flat()) if (each !== undefined) collect(each, schemas, found)
}

const writeType = (name: string, schema: Schema): ReadonlyArray<string> => [
  `### ${name}`,
  "",
  ...(schema.description === undefined ? [] : [schema.description, ""]),
  ...(schema.properties === undefined
    ? [`${typeOf(schema)}.`, ""]
    : table("field", fieldsOf(schema)))
]

const introduction = [
  "Every operation is a method of `@verbatim/client`, and of programs that embed Verbatim.",
  "A method takes the path parameters in order, then the body, then an object with the query",
  "parameters and with headers such as `idempotencyKey` and `ifMatch`. The client's",
  "[README](../packages/client/README.md) shows calls, and the methods that the client adds.",
  "This page is generated from the API's description, which a running server shows at `/docs`.",
  ""
]

/** Writes the page: all operations by group, then the types of their bodies and answers. */
export const writeReference = (description: Description): string => {
  const schemas = description.components.schemas as Readonly<Record<string, Schema>>
  const paths = description.paths as Readonly<Record<string, Verbs>>
  const operations = Object.entries(paths).flatMap(
    ([path, { servers = description.servers, ...verbs }]) =>
      Object.entries(verbs).map(([verb, operation]) => ({
        verb,
        path: `${servers?.[0]?.url ?? ""}${path}`.replace("//", "/"),
        operation
      }))
  )
  const types = new Set<string>()
  for (const { operation } of operations) {
    const bodies = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema)
    for (const each of [answerOf(operation), ...bodies]) {
      if (each !== undefined) collect(each, schemas, types)
    }
  }
  const groups = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? "")
  const lines = [
    "# API reference",
    "",
    ...introduction,
    ...[...groups].flatMap(([group, members]) => [
      `## ${group}`,
      "",
      ...members.flatMap(({ operation, path, verb }) => writeOperation(verb, path, operation))
    ]),
    "## Types",
    "",
    ...[...types].sort().flatMap((name) => writeType(name, schemas[name] ?? {}))
  ]
  return `${lines.join("\n").trimEnd()}\n`
}

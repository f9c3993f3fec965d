/** Declares groups and operations together with their texts, examples and errors. */
import type { Context } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Reads, Resource, type ResourceName } from "./Authentication.ts"

const { delete: remove, get, patch, post, put } = HttpApiEndpoint

const methods = { delete: remove, get, patch, post, put }

type Methods = typeof methods

/** Creates an endpoint that can be annotated. */
type Make = (...options: ReadonlyArray<never>) => {
  readonly annotateMerge: (annotations: Context.Context<never>) => unknown
}

/** Returns one constructor for each HTTP method; the operations get these annotations. */
const makeMethods = (annotations: Context.Context<never>) =>
  Object.fromEntries(
    Object.entries<Make>(methods).map(([name, make]) => [
      name,
      (...options: ReadonlyArray<never>) => make(...options).annotateMerge(annotations)
    ])
  ) as unknown as Methods

/**
 * Begins an operation with a summary and a description. The caller continues with the HTTP method,
 * such as `.get(…)`.
 */
export const describe = (summary: string, ...sentences: ReadonlyArray<string>) =>
  makeMethods(
    OpenApi.annotations({
      summary,
      ...(sentences.length === 0 ? {} : { description: sentences.join(" ") })
    })
  )

interface GroupDescription {
  readonly title: string
  readonly description: string
  /** The resource that the group's scopes are named after. */
  readonly resource?: ResourceName
  /** Whether every operation only reads, even if some use `POST`. */
  readonly reads?: boolean
}

/**
 * Begins a group of operations. An error names all invalid query parameters, not only the first.
 */
export const makeGroup = <const Name extends string>(
  name: Name,
  { reads = false, resource, ...text }: GroupDescription
) =>
  HttpApiGroup.make(name)
    .annotate(Resource, resource)
    .annotate(Reads, reads)
    .annotate(HttpApi.QueryParseOptions, { errors: "all" })
    .annotateMerge(OpenApi.annotations(text))

/** Examples of a body, keyed by name. */
type NamedExamples = Readonly<Record<string, unknown>>

/** Example messages of refusals, keyed by status and name. */
export type Refusals = Readonly<Record<number, Readonly<Record<string, string>>>>

/** Examples and details that the OpenAPI document shows for an operation. */
export interface OperationDescription {
  readonly summary: string
  readonly description: string
  /** Request bodies, keyed by content type. */
  readonly requests?: Readonly<Record<string, NamedExamples>>
  /** Example responses in JSON. */
  readonly json?: NamedExamples
  /** Responses with content types other than JSON. */
  readonly texts?: Readonly<Record<string, NamedExamples>>
  readonly refusals?: Refusals
  /** Causes of errors that are more specific than those in the schemas, keyed by status. */
  readonly meanings?: Readonly<Record<number, string>>
}

type Content = OpenApi.OpenApiSpecContent

const toExamples = (named: NamedExamples) =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name, { value }]))

const addToContent = (content: Content, named: Readonly<Record<string, NamedExamples>>): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const examples = named[type]
      return [type, examples === undefined ? media : { ...media, examples: toExamples(examples) }]
    })
  )

const inJson = "application/json"

const addToOperation = ({
  json,
  meanings = {},
  refusals = {},
  requests = {},
  texts
}: Omit<OperationDescription, "description" | "summary">) => {
  const answers = { ...texts, ...(json === undefined ? {} : { [inJson]: json }) }
  const refuse = (sentences: Readonly<Record<string, string>> = {}) => ({
    [inJson]: Object.fromEntries(
      Object.entries(sentences).map(([name, detail]) => [name, { detail }])
    )
  })
  const show = ([status, { content, description }]: [string, OpenApi.OpenApiSpecResponse]) => {
    const code = Number(status)
    const named = code === 200 ? answers : refusals[code] && refuse(refusals[code])
    return [
      status,
      {
        description: meanings[code] ?? description,
        ...(content === undefined ? {} : { content: addToContent(content, named ?? {}) })
      }
    ]
  }
  return (operation: OpenApi.OpenAPISpecOperation): object => {
    const { requestBody: body, responses } = operation
    return {
      ...operation,
      ...(body && { requestBody: { ...body, content: addToContent(body.content, requests) } }),
      responses: Object.fromEntries(Object.entries(responses).map(show))
    }
  }
}

/**
 * Returns a function that adds descriptions and examples to operations. Every operation also gets
 * the refusals in `always`.
 */
export const explainWith =
  (always: Refusals) =>
  ({ description, summary, ...shown }: OperationDescription) => {
    const add = addToOperation({ ...shown, refusals: { ...always, ...shown.refusals } })
    return makeMethods(
      OpenApi.annotations({
        summary,
        description,
        transform: (operation) => add(operation as OpenApi.OpenAPISpecOperation)
      })
    )
  }

/** Helpers that describe an operation: its text, its examples, and its errors. */
import { OpenApi } from "effect/http-api"

/**
 * Annotates an operation with a summary and a description. The description is a list of sentences.
 */
export const describe = (summary: string, ...sentences: ReadonlyArray<string>) =>
  OpenApi.annotations({ summary, description: sentences.join(" ") })

/** Picks the errors with these statuses from a family. */
export const pickErrors = <
  Errors extends object,
  const Statuses extends ReadonlyArray<keyof Errors>
>(
  errors: Errors,
  ...statuses: Statuses
) =>
  statuses.map((status) => errors[status]) as unknown as {
    readonly [Index in keyof Statuses]: Errors[Statuses[Index]]
  }

/** Examples of a body, keyed by name. */
type NamedExamples = Readonly<Record<string, unknown>>

/** Example messages of refusals, keyed by status and name. */
export type Refusals = Readonly<Record<number, Readonly<Record<string, string>>>>

/** Everything that the OpenAPI document shows about an operation. */
export interface OperationDescription {
  readonly summary: string
  readonly description: string
  /** Request bodies, keyed by content type. */
  readonly requests?: Readonly<Record<string, NamedExamples>>
  /** Example answers in JSON. */
  readonly json?: NamedExamples
  /** Responses with content types other than JSON. */
  readonly texts?: Readonly<Record<string, NamedExamples>>
  readonly refusals?: Refusals
  /** Status meanings more specific than those in the schema. */
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
 * Returns a function that adds descriptions and examples to operations; `always` contains the
 * refusals that all operations of the family share.
 */
export const explainWith =
  (always: Refusals) =>
  ({ description, summary, ...shown }: OperationDescription) => {
    const add = addToOperation({ ...shown, refusals: { ...always, ...shown.refusals } })
    return OpenApi.annotations({
      summary,
      description,
      transform: (operation) => add(operation as OpenApi.OpenAPISpecOperation)
    })
  }

/**
 * What the description says about an operation: in words, by examples, and by the errors of its
 * family that it may answer with.
 */
import { OpenApi } from "effect/http-api"

/** One line, and the sentences that follow it. */
export const describe = (summary: string, ...sentences: ReadonlyArray<string>) =>
  OpenApi.annotations({ summary, description: sentences.join(" ") })

/** The errors with these statuses, of a family. */
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

/** Examples of one body, by name. */
type NamedExamples = Readonly<Record<string, unknown>>

/** Sentences of refusals by status, by name. */
export type Refusals = Readonly<Record<number, Readonly<Record<string, string>>>>

/** What the description shows of an operation. */
export interface OperationDescription {
  readonly summary: string
  readonly description: string
  /** Bodies of requests, by content type. */
  readonly requests?: Readonly<Record<string, NamedExamples>>
  /** Bodies of answers in JSON. */
  readonly json?: NamedExamples
  /** Bodies of answers of other content types. */
  readonly texts?: Readonly<Record<string, NamedExamples>>
  readonly refusals?: Refusals
  /** What a status means for this operation, where its schema is more general. */
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

/** Makes what describes an operation with its examples; some refusals are those of its family. */
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

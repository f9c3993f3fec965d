/**
 * What the description says about an operation in words and by examples.
 */
import { OpenApi } from "effect/http-api"

/** One line, and the sentences that follow it. */
export const describe = (summary: string, ...sentences: ReadonlyArray<string>) =>
  OpenApi.annotations({ summary, description: sentences.join(" ") })

/** Examples of one body, by name. */
export type NamedExamples = Readonly<Record<string, unknown>>

/** Examples of an operation, by content type; those of answers by status first. */
export interface OperationExamples {
  readonly request?: Readonly<Record<string, NamedExamples>>
  readonly answers: Readonly<Record<number, Readonly<Record<string, NamedExamples>>>>
  /** What a status means for this operation, where its schema is more general. */
  readonly meanings?: Readonly<Record<number, string>>
}

type Content = OpenApi.OpenApiSpecContent

const addToContent = (content: Content, named: Readonly<Record<string, NamedExamples>>): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const examples = Object.entries(named[type] ?? {}).map(([name, value]) => [name, { value }])
      return [
        type,
        examples.length === 0 ? media : { ...media, examples: Object.fromEntries(examples) }
      ]
    })
  )

const addToOperation =
  ({ answers, meanings = {}, request }: OperationExamples) =>
  (operation: OpenApi.OpenAPISpecOperation): object => {
    const { requestBody, responses } = operation
    return {
      ...operation,
      ...(requestBody === undefined || request === undefined
        ? {}
        : { requestBody: { ...requestBody, content: addToContent(requestBody.content, request) } }),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [
          status,
          {
            ...response,
            description: meanings[Number(status)] ?? response.description,
            ...(response.content === undefined
              ? {}
              : { content: addToContent(response.content, answers[Number(status)] ?? {}) })
          }
        ])
      )
    }
  }

/** Makes the annotation that gives an operation its examples. */
export const showExamples = (examples: OperationExamples) =>
  OpenApi.annotations({
    transform: (operation) => addToOperation(examples)(operation as OpenApi.OpenAPISpecOperation)
  })

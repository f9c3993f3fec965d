/**
 * Named examples beside the bodies of an operation, where readers of its description look.
 */
import { OpenApi } from "effect/http-api"

/** Examples of one body, by their names. */
export type Named = Readonly<Record<string, unknown>>

/** Examples of an operation, by content type; those of answers by status first. */
export interface OperationExamples {
  readonly request?: Readonly<Record<string, Named>>
  readonly answers: Readonly<Record<number, Readonly<Record<string, Named>>>>
  /** What a status means for this operation, where its schema cannot know. */
  readonly meanings?: Readonly<Record<number, string>>
}

type Content = OpenApi.OpenApiSpecContent

const inside = (content: Content, named: Readonly<Record<string, Named>>): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const examples = Object.entries(named[type] ?? {}).map(([name, value]) => [name, { value }])
      return [
        type,
        examples.length === 0 ? media : { ...media, examples: Object.fromEntries(examples) }
      ]
    })
  )

const shownIn =
  ({ answers, meanings = {}, request }: OperationExamples) =>
  (operation: OpenApi.OpenAPISpecOperation): object => {
    const { requestBody, responses } = operation
    return {
      ...operation,
      ...(requestBody === undefined || request === undefined
        ? {}
        : { requestBody: { ...requestBody, content: inside(requestBody.content, request) } }),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [
          status,
          {
            ...response,
            description: meanings[Number(status)] ?? response.description,
            ...(response.content === undefined
              ? {}
              : { content: inside(response.content, answers[Number(status)] ?? {}) })
          }
        ])
      )
    }
  }

/** Annotates an operation with its examples. */
export const shows = (examples: OperationExamples) =>
  OpenApi.annotations({
    transform: (operation) => shownIn(examples)(operation as OpenApi.OpenAPISpecOperation)
  })

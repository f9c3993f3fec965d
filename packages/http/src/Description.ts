/**
 * The OpenAPI document: what the API says of itself, put where readers and tools look for it. The
 * generator knows schemas alone, so schemas carry in annotations what belongs beside them.
 */
import { plain } from "@verbatim/core/domain/schema/PlainSchema"
import type { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { Api, apiRoot } from "./Api.ts"
import { webhooks } from "./transcription/TranscriptionWebhook.ts"

type Json = Readonly<Record<string, unknown>>
type Spec = OpenApi.OpenAPISpec
type Operation = OpenApi.OpenAPISpecOperation
type Content = OpenApi.OpenApiSpecContent

/**
 * Annotations that the generator would leave out. `x-schema` is the schema of a parameter that
 * travels as text, `x-headers` are the headers of the answer that a schema is the body of.
 */
const annotations: ReadonlySet<string> = new Set(["deprecated", "x-schema", "x-headers"])

const options = { includeAnnotationKey: (key: string) => annotations.has(key) }

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What describes the value of a parameter describes the parameter. */
const withMeaning = (parameter: OpenApi.OpenAPISpecParameter): OpenApi.OpenAPISpecParameter => {
  const written: Json = { ...parameter.schema }
  const { description, ...schema } = isObject(written["x-schema"]) ? written["x-schema"] : written
  return { ...parameter, ...(typeof description === "string" ? { description } : {}), schema }
}

/** The named schema that a body is made of. */
const componentOf = (spec: Spec, { schema }: OpenApi.OpenApiSpecMediaType): Json => {
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined
  return (name === undefined ? undefined : spec.components.schemas[name]) ?? schema
}

/** Bodies with the first example of their schema. */
const withExamples = (spec: Spec, content: Content): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const { examples } = componentOf(spec, media)
      return [type, Array.isArray(examples) ? { ...media, example: examples[0] } : media]
    })
  )

const withHeaders = (spec: Spec, response: OpenApi.OpenApiSpecResponse) => {
  const { content = {} } = response
  const headers = Object.values(content).flatMap((media) => {
    const named = componentOf(spec, media)["x-headers"]
    return isObject(named) ? Object.entries(named) : []
  })
  return {
    ...response,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(response.content === undefined ? {} : { content: withExamples(spec, content) })
  }
}

const completed = (spec: Spec, operation: Operation): Json => ({
  ...operation,
  parameters: operation.parameters.map(withMeaning),
  ...(operation.requestBody === undefined
    ? {}
    : {
        requestBody: {
          ...operation.requestBody,
          content: withExamples(spec, operation.requestBody.content)
        }
      }),
  responses: mapValues(operation.responses, (response) => withHeaders(spec, response))
})

/** A path below the server's address; what is not below it names a server of its own. */
const withServer = (path: string, item: Json): readonly [string, Json] =>
  path.startsWith(`${apiRoot}/`)
    ? [path.slice(apiRoot.length), item]
    : [path, { servers: [{ url: "/", description: "The root of this server." }], ...item }]

const withoutHeaders = ({ "x-headers": _, ...schema }: Json): Json => schema

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A) => B) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value)]))

/** The document that is served. */
export const document = (): Spec => {
  const spec = OpenApi.fromApi(Api, options)
  const paths = Object.entries(spec.paths).map(([path, item]) =>
    withServer(
      path,
      mapValues(item as Record<string, Operation>, (operation) => completed(spec, operation))
    )
  )
  const schemas = mapValues(spec.components.schemas, withoutHeaders)
  return plain({
    ...spec,
    paths: Object.fromEntries(paths),
    webhooks,
    components: { ...spec.components, schemas }
  } as unknown as Schema.Json) as unknown as Spec
}

/** The API under its own description. */
export const described = Api.annotateMerge(OpenApi.annotations({ transform: document }))

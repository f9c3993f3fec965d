/**
 * The OpenAPI document. The generator reads schemas alone, so annotations of schemas carry what
 * belongs elsewhere; here it is moved to where readers and tools look for it.
 */
import { toPlain } from "@verbatim/core/schema"
import type { Scope } from "@verbatim/core/workspace"
import type { Schema } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { Api, apiRoot } from "./Api.ts"
import { scopesOf } from "./Authentication.ts"
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

/** Moves the description of a parameter's value to the parameter. */
const describeParameter = (
  parameter: OpenApi.OpenAPISpecParameter
): OpenApi.OpenAPISpecParameter => {
  const given: Json = { ...parameter.schema }
  const { description, ...schema } = isObject(given["x-schema"]) ? given["x-schema"] : given
  return { ...parameter, ...(typeof description === "string" ? { description } : {}), schema }
}

const resolveSchema = (spec: Spec, schema: Json): Json => {
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined
  return (name === undefined ? undefined : spec.components.schemas[name]) ?? schema
}

/** Finds the named schemas of a body, the usual one first. */
const findComponents = (spec: Spec, media: OpenApi.OpenApiSpecMediaType): ReadonlyArray<Json> => {
  const { anyOf } = media.schema
  const schemas: ReadonlyArray<Json> = Array.isArray(anyOf) ? anyOf : [media.schema]
  return schemas.map((schema) => resolveSchema(spec, schema))
}

/** Gives each body the first example of its usual schema. */
const addExamples = (spec: Spec, content: Content): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const [{ examples } = {}] = findComponents(spec, media)
      return [type, Array.isArray(examples) ? { ...media, example: examples[0] } : media]
    })
  )

/** When to come again, after an answer that a repeat may change. */
const retryAfterHeader = (required: boolean) => ({
  "Retry-After": {
    description: "In how many seconds to come again.",
    required,
    schema: { type: "integer", minimum: 1 }
  }
})

/** The headers of every answer with a status. */
const statusHeaders: Readonly<Record<string, Json>> = {
  429: retryAfterHeader(true),
  // Where a store cannot be reached.
  500: retryAfterHeader(false)
}

/** Gives a response the headers of its status, and those that the schemas of its bodies carry. */
const addHeaders = (spec: Spec, [status, response]: [string, OpenApi.OpenApiSpecResponse]) => {
  const { content = {} } = response
  const carried = Object.values(content).flatMap((media) =>
    findComponents(spec, media).flatMap(({ "x-headers": headers }) =>
      isObject(headers) ? Object.entries(headers) : []
    )
  )
  const headers = [...Object.entries(statusHeaders[status] ?? {}), ...carried]
  return {
    ...response,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(response.content === undefined ? {} : { content: addExamples(spec, content) })
  }
}

/** The scopes of which each operation takes one, by method and path. */
const listScopes = (): ReadonlyMap<string, ReadonlyArray<Scope>> => {
  const scopes = new Map<string, ReadonlyArray<Scope>>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
      scopes.set(`${endpoint.method.toLowerCase()} ${path}`, scopesOf(group, endpoint))
    }
  })
  return scopes
}

/**
 * Says in words, and in fields for programs, what a key with a list of scopes needs: `x-scope`, or,
 * where there is one, `x-label-scope`.
 */
const addScopes = (
  operation: Operation,
  [scope, ofLabel]: ReadonlyArray<Scope> = []
): Operation => {
  if (scope === undefined) return operation
  const told = ofLabel === undefined ? `\`${scope}\`` : `\`${scope}\` or \`${ofLabel}\``
  const description = `${operation.description ?? ""} Takes the scope ${told}.`.trim()
  const fields = {
    "x-scope": scope,
    ...(ofLabel === undefined ? {} : { "x-label-scope": ofLabel })
  }
  return { ...operation, description, ...fields }
}

/** Where the operations of a group are in the client, unless the group is called so itself. */
const clientGroups: Readonly<Record<string, string>> = {
  labels: "presets.labels",
  resolutions: "presets",
  transcription: "transcriptions",
  jobs: "transcriptions",
  corrections: "transcriptions.corrections",
  events: "transcriptions",
  workspaceKeys: "workspaces.keys",
  workspaceLabels: "workspaces.labels"
}

/** What an operation is called in the client, where its own name is that of another one there. */
const clientNames: Readonly<Record<string, string>> = {
  "transcription.status": "transcriptions.get",
  "jobs.get": "transcriptions.details",
  "corrections.list": "transcriptions.corrections.get",
  "corrections.get": "transcriptions.corrections.version",
  "events.one": "transcriptions.events",
  "events.all": "transcriptions.allEvents",
  "workspaceLabels.list": "workspaces.labels.listProtected",
  "usage.ledger": "workspaces.ledger",
  "usage.ownLedger": "usage.ledger"
}

/** The id of an operation is its name in the client. */
const nameOperation = (id: string): string => {
  const [group = "", ...name] = id.split(".")
  return clientNames[id] ?? [clientGroups[group] ?? group, ...name].join(".")
}

const completeOperation = (spec: Spec, operation: Operation): Json => ({
  ...operation,
  operationId: nameOperation(operation.operationId),
  parameters: operation.parameters.map(describeParameter),
  ...(operation.requestBody === undefined
    ? {}
    : {
        requestBody: {
          ...operation.requestBody,
          content: addExamples(spec, operation.requestBody.content)
        }
      }),
  responses: Object.fromEntries(
    Object.entries(operation.responses).map((entry) => [entry[0], addHeaders(spec, entry)])
  )
})

/** Shortens a path below the server's address; any other path names a server of its own. */
const relatePath =
  (prefix: string) =>
  (path: string, item: Json): readonly [string, Json] => {
    if (path.startsWith(`${apiRoot}/`)) return [path.slice(apiRoot.length), item]
    const root = { url: prefix === "" ? "/" : prefix, description: "The root of this server." }
    return [path, { servers: [root], ...item }]
  }

const dropHeaders = ({ "x-headers": _, ...schema }: Json): Json => schema

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A, key: string) => B) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value, key)]))

/** Makes the document that is served below a path of the server; at its root without one. */
export const document = (prefix = ""): Spec => {
  const spec = OpenApi.fromApi(Api, options)
  const scopes = listScopes()
  const relate = relatePath(prefix)
  const paths = Object.entries(spec.paths).map(([path, item]) =>
    relate(
      path,
      mapValues(item as Record<string, Operation>, (operation, method) =>
        completeOperation(spec, addScopes(operation, scopes.get(`${method} ${path}`)))
      )
    )
  )
  const schemas = mapValues(spec.components.schemas, dropHeaders)
  return toPlain({
    ...spec,
    servers: spec.servers?.map((server) => ({ ...server, url: prefix + server.url })),
    paths: Object.fromEntries(paths),
    webhooks,
    components: { ...spec.components, schemas }
  } as unknown as Schema.Json) as unknown as Spec
}

/** The API, with its description in place of the generated one. */
export const describeApi = (prefix: string) =>
  Api.annotateMerge(OpenApi.annotations({ transform: () => document(prefix) }))

/** The same at the root of a server. */
export const DescribedApi = describeApi("")

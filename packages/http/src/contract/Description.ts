/**
 * Builds the OpenAPI document. Effect's generator reads only schemas, so our schemas carry the
 * descriptions of parameters, headers and examples as annotations. This module moves the
 * annotations to the right places in the document.
 */
import { toPlain } from "@verbatim/core/schema"
import type { Scope } from "@verbatim/core/workspace"
import { Predicate, type Schema } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { Api, apiRoot } from "./Api.ts"
import { findScopes } from "./Authentication.ts"
import { webhooks } from "./transcription/TranscriptionWebhook.ts"

type Json = Readonly<Record<string, unknown>>
type Spec = OpenApi.OpenAPISpec
type Operation = OpenApi.OpenAPISpecOperation
type Content = OpenApi.OpenApiSpecContent

/**
 * Annotations that Effect's generator would leave out. `x-schema` is the actual schema of a
 * parameter that is sent as text. `x-headers` lists the headers of a response; it is set on the
 * schema of the body.
 */
const annotations: ReadonlySet<string> = new Set(["deprecated", "x-schema", "x-headers"])

export const options = { includeAnnotationKey: (key: string) => annotations.has(key) }

/** Moves the description from a parameter's schema to the parameter itself. */
export const describeParameter = (
  parameter: OpenApi.OpenAPISpecParameter
): OpenApi.OpenAPISpecParameter => {
  const given: Json = { ...parameter.schema }
  const { description, ...schema } = Predicate.isObject(given["x-schema"])
    ? given["x-schema"]
    : given
  return { ...parameter, ...(typeof description === "string" ? { description } : {}), schema }
}

const resolveSchema = (spec: Spec, schema: Json): Json => {
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined
  return (name === undefined ? undefined : spec.components.schemas[name]) ?? schema
}

/** Lists the schemas of a body, most common first. */
const findComponents = (spec: Spec, media: OpenApi.OpenApiSpecMediaType): ReadonlyArray<Json> => {
  const { anyOf } = media.schema
  const schemas: ReadonlyArray<Json> = Array.isArray(anyOf) ? anyOf : [media.schema]
  return schemas.map((schema) => resolveSchema(spec, schema))
}

/** Adds to each body the first example of its most common schema. */
const addExamples = (spec: Spec, content: Content): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const [{ examples } = {}] = findComponents(spec, media)
      return [type, Array.isArray(examples) ? { ...media, example: examples[0] } : media]
    })
  )

/** The `Retry-After` header, which states when a client can retry. */
const retryAfterHeader = (required: boolean) => ({
  "Retry-After": {
    description: "The number of seconds to wait before the next attempt.",
    required,
    schema: { type: "integer", minimum: 1 }
  }
})

/** Headers of every response, keyed by status. */
const statusHeaders: Readonly<Record<string, Json>> = {
  429: retryAfterHeader(true),
  // A 500 has `Retry-After` only if a store cannot be reached.
  500: retryAfterHeader(false)
}

/**
 * Adds the headers that belong to a response's status, and those that the schemas of its bodies
 * list.
 */
const addHeaders = (spec: Spec, [status, response]: [string, OpenApi.OpenApiSpecResponse]) => {
  const { content = {} } = response
  const carried = Object.values(content).flatMap((media) =>
    findComponents(spec, media).flatMap(({ "x-headers": headers }) =>
      Predicate.isObject(headers) ? Object.entries(headers) : []
    )
  )
  const headers = [...Object.entries(statusHeaders[status] ?? {}), ...carried]
  return {
    ...response,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(response.content === undefined ? {} : { content: addExamples(spec, content) })
  }
}

/** The accepted scopes of each operation, keyed by method and path. */
const listScopes = (): ReadonlyMap<string, ReadonlyArray<Scope>> => {
  const scopes = new Map<string, ReadonlyArray<Scope>>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
      scopes.set(`${endpoint.method.toLowerCase()} ${path}`, findScopes(group, endpoint))
    }
  })
  return scopes
}

/**
 * Adds the required scope to an operation: to its description for people, and as `x-scope` for
 * programs. If a label's scope is accepted too, it is added as `x-label-scope`.
 */
const addScopes = (
  operation: Operation,
  [scope, ofLabel]: ReadonlyArray<Scope> = []
): Operation => {
  if (scope === undefined) return operation
  const accepted = ofLabel === undefined ? `\`${scope}\`` : `\`${scope}\` or \`${ofLabel}\``
  const description = `${operation.description ?? ""} Needs the scope ${accepted}.`.trim()
  const fields = {
    "x-scope": scope,
    ...(ofLabel === undefined ? {} : { "x-label-scope": ofLabel })
  }
  return { ...operation, description, ...fields }
}

/** The client's names for groups that have a different name in the API. */
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

/** The client's names for operations that would otherwise clash with another name. */
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

/** Builds the operation id, which is also the operation's name in the client. */
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

/** Returns a path relative to `/v1`. An operation outside `/v1` gets its own server URL instead. */
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

/** Builds the document for a server mounted below `prefix`, or at the root by default. */
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

/** The API with our description in place of the one that Effect generates. */
export const describeApi = (prefix: string) =>
  Api.annotateMerge(OpenApi.annotations({ transform: () => document(prefix) }))

/** The API with its description, for a server mounted at the root. */
export const DescribedApi = describeApi("")

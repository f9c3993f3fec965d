/**
 * Lists every route in the API's description, with a valid request for each. New routes are
 * included automatically.
 */
import { document } from "@verbatim/http/description"
import { json } from "../Bodies.ts"
import { states } from "../transcription/JobStates.ts"
import type { WorkspaceCall } from "./WorkspaceCalls.ts"

type Json = ReturnType<typeof JSON.parse>

export interface Route {
  /** The method and path, as the description shows them. */
  readonly name: string
  readonly method: string
  readonly path: string
  /** The kind of key that the operation needs, or undefined if no key is needed. */
  readonly scheme: "bearer" | "operator" | undefined
  /** Whether the operation accepts both kinds of keys. */
  readonly takesBoth: boolean
  /** The scope that the operation needs. */
  readonly scope: string | undefined
  /** The scope of the label in the path, if the operation accepts it as an alternative. */
  readonly labelScope: string | undefined
  /** An example of the operation's body. */
  readonly body: Json | undefined
  /** The possible responses of the operation, keyed by status. */
  readonly statuses: Readonly<Record<string, Json>>
  /** The operation's required query parameters, with values. */
  readonly query: string
}

const exampleOf = (content: Json): Json => {
  const { example, examples = {}, schema } = content["application/json"] ?? {}
  const [named]: ReadonlyArray<Json> = Object.values(examples)
  return example ?? named?.value ?? schema?.example
}

const routeOf = (path: string, [method, operation]: [string, Json]): Route => {
  const [security = {}] = operation.security
  const [scheme] = Object.keys(security) as ReadonlyArray<"bearer" | "operator">
  const required = operation.parameters.filter(
    (parameter: Json) => parameter.in === "query" && parameter.required
  )
  return {
    name: `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    scheme,
    takesBoth: operation.security.length > 1,
    scope: operation["x-scope"],
    labelScope: operation["x-label-scope"],
    body:
      operation.requestBody === undefined ? undefined : exampleOf(operation.requestBody.content),
    statuses: operation.responses,
    query: required.map(({ name }: Json, index: number) => `${name}=${index + 1}`).join("&")
  }
}

/** All routes below `/v1`. Other routes are about the server itself and need no key. */
export const routes: ReadonlyArray<Route> = Object.entries<Json>(document().paths)
  .filter(([, item]) => item.servers === undefined)
  .flatMap(([path, item]) => Object.entries<Json>(item).map((entry) => routeOf(path, entry)))

/** Values of path parameters. */
export type Parameters = Readonly<Record<string, string>>

/**
 * Builds path parameters that name nothing that exists. Only the external id can be used to create
 * a workspace.
 */
export const nameUnknown = (externalId: string): Parameters => ({
  slug: "nothing",
  label: "nowhere",
  version: "1",
  id: "01900000-0000-7000-8000-000000000000",
  key_id: "01900000-0000-7000-8000-000000000000",
  modifier: "plain_text",
  model: "whisper-1",
  external_id: externalId
})

/** The jobs of the deployment whose webhook can be delivered again. */
const delivered = states.flatMap(({ delivery, id }) => (delivery === "Delivered" ? [id] : []))
const redelivery = { action: "redeliver", ids: delivered }

/** Bodies for this deployment, which replace examples that name unknown hosts or jobs. */
const bodies: Readonly<Record<string, Json>> = {
  "post /transcribe": { url: "https://media.example.com/a.mp3" },
  "post /resolve": { preset: "slug-of-a" },
  "post /transcriptions/actions": redelivery,
  "post /work/jobs/actions": redelivery,
  "patch /transcriptions/{id}/segments": [{ index: 0, text: "Hello." }]
}

/**
 * Returns the statuses that a permitted caller can get from a route. A 409 can occur if another
 * request was faster, and a 400 because a request has no file.
 */
export const permitted = ({ name }: Route): ReadonlyArray<number> => [
  ...[200, 204, 404, 409],
  ...(name === "post /audio/transcriptions" ? [400] : [])
]

/** Builds a request for a route with these parameters. */
export const toCall = (
  { body, method, name, path, query }: Route,
  parameters: Parameters
): WorkspaceCall => {
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = parameters[parameter]
    if (value === undefined) throw new Error(`${name}: no value for ${parameter}`)
    return value
  })
  const sent = bodies[name] ?? body
  return {
    path: query === "" ? filled : `${filled}?${query}`,
    method,
    ...(sent === undefined ? {} : json(sent))
  }
}

/**
 * Every route of the API as its description has it, and a request for each that the server has
 * nothing against. A route that is new is in here by itself.
 */
import { document } from "@verbatim/http/description"
import { json } from "../Bodies.ts"
import type { Asked } from "./WorkspaceCalls.ts"

type Json = ReturnType<typeof JSON.parse>

/** An operation. */
export interface Route {
  /** Method and path, as the description writes them. */
  readonly name: string
  readonly method: string
  readonly path: string
  /** Which key it takes; none where it takes none. */
  readonly scheme: "bearer" | "operator" | undefined
  /** Whether it takes a key of either kind. */
  readonly takesBoth: boolean
  /** The scope that it takes. */
  readonly scope: string | undefined
  /** The scope of the label in its path, where that will do instead. */
  readonly labelScope: string | undefined
  /** An example of its body. */
  readonly body: Json | undefined
  /** What it may answer, by status. */
  readonly statuses: Readonly<Record<string, Json>>
  /** Parameters that it cannot do without, with values. */
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

/** All of them below `/v1`. Those above it are about the server, and take no key. */
export const routes: ReadonlyArray<Route> = Object.entries<Json>(document().paths)
  .filter(([, item]) => item.servers === undefined)
  .flatMap(([path, item]) => Object.entries<Json>(item).map((entry) => routeOf(path, entry)))

/** What the parameters of a path stand for. */
export type Parameters = Readonly<Record<string, string>>

/** Parameters of what nobody has, and of a workspace that may be made. */
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

/** Bodies that this deployment takes, where that of the description is about other hosts. */
const bodies: Readonly<Record<string, Json>> = {
  "post /transcribe": { url: "https://media.example.com/a.mp3" },
  "post /resolve": { preset: "slug-of-a" },
  "patch /transcriptions/{id}/segments": [{ index: 0, text: "Hello." }]
}

/**
 * What a route answers with to whoever may call it: 409 where another request came first, and 400
 * where a call without a file has nothing to wait for.
 */
export const permitted = ({ name }: Route): ReadonlyArray<number> => [
  ...[200, 204, 404, 409],
  ...(name === "post /audio/transcriptions" ? [400] : [])
]

/** A request for a route, about what the parameters name. */
export const toCall = (
  { body, method, name, path, query }: Route,
  parameters: Parameters
): Asked => {
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

/** Calls the preset operations and parses their JSON responses. */
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"

const { inference, management } = Deployment.keys

/** A request whose path is relative to `/v1/presets`. */
export interface PresetCall extends Deployment.Call {
  readonly path: string
  /** A body to send as JSON. */
  readonly json?: unknown
}

export interface PresetAnswer {
  readonly status: number
  readonly etag: string | null
  /** The response body, parsed as JSON. */
  readonly body: ReturnType<typeof JSON.parse>
}

/** Sends a request with the management key by default. */
export const fetchJson = Effect.fnUntraced(function* ({ path, ...call }: PresetCall) {
  const { call: send } = yield* Deployment.Deployment
  const sent = call.json === undefined ? { headers: {} } : json(call.json)
  const answer = yield* send(`/v1/presets${path}`, {
    key: management,
    ...call,
    ...sent,
    headers: { ...sent.headers, ...call.headers }
  })
  return {
    status: answer.status,
    etag: answer.headers.get("etag"),
    body: answer.text === "" ? null : JSON.parse(answer.text)
  } satisfies PresetAnswer
})

/** Creates a version of a preset. */
export const create = (slug: string, body: object = {}) =>
  fetchJson({ path: `/${slug}/responses`, json: body })

export const patch = (
  slug: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
) => fetchJson({ path: `/${slug}`, method: "PATCH", json: body, headers })

export const designate = (
  slug: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
) => fetchJson({ path: `/${slug}/designated-version`, method: "PUT", json: body, headers })

/** Points a label to a version. */
export const moveLabel = (
  label: string,
  version: unknown,
  headers: Readonly<Record<string, string>> = {}
) =>
  fetchJson({
    path: `/${label.replace("@", "/labels/")}`,
    method: "PUT",
    json: { version },
    headers
  })

export const remove = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetchJson({ path, method: "DELETE", headers })

export const read = (path: string, key: string = management) => fetchJson({ path, key })

/** Returns the status and message of an error response. */
export const refusalOf = ({ body, status }: PresetAnswer) => [status, body?.error?.message]

/** The status and message of the refusal of a request that breaks a rule. */
export const broken = (problem: string) => [400, `Invalid request parameters: ${problem}`]

/** Resolves a request with a preset, using an ordinary key. */
export const resolve = (path: string, request: unknown) =>
  fetchJson({ path: `/${path}`, method: "POST", json: request, key: inference })

/** Resolves a request that contains the name of its preset. */
export const resolveNamed = Effect.fnUntraced(function* (request: unknown, query = "") {
  const { call } = yield* Deployment.Deployment
  const answer = yield* call(`/v1/resolve${query}`, {
    method: "POST",
    key: inference,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request)
  })
  return { status: answer.status, etag: null, body: JSON.parse(answer.text) }
})

/** Calls the preset operations and parses their JSON responses. */
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { fetchJson as send, type WorkspaceCall } from "../workspace/WorkspaceCalls.ts"

export { broken } from "../workspace/WorkspaceCalls.ts"

const { inference, management } = Deployment.keys

/** A request whose path is relative to `/v1/presets`. */
export type PresetCall = WorkspaceCall

const toAnswer = ({ body, headers, status }: Effect.Success<ReturnType<typeof send>>) => ({
  status,
  etag: headers.get("etag"),
  body
})

export type PresetAnswer = ReturnType<typeof toAnswer>

/** Sends a request with the management key by default. */
export const fetchJson = ({ path, ...call }: PresetCall) =>
  Effect.map(send({ key: management, ...call, path: `/presets${path}` }), toAnswer)

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

/** Resolves a request with a preset, using an ordinary key. */
export const resolve = (path: string, request: unknown) =>
  fetchJson({ path: `/${path}`, method: "POST", json: request, key: inference })

/** Resolves a request that contains the name of its preset. */
export const resolveNamed = (request: unknown, query = "") =>
  Effect.map(send({ path: `/resolve${query}`, key: inference, json: request }), toAnswer)

/**
 * Who may use the console. A server of our own asks for a key; a host that knows its users says of
 * each request what it may do.
 */
import type { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"

/** What a request of the console may do: nothing, read, or read and change. */
export type Access = "none" | "read" | "write"

/** Says what a request may do. It is asked for each one, so it should be quick. */
export type Authorize = (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Access>

/** Requests that read although they are sent with `POST`, by their paths. */
const readingPosts = /^\/v1\/(?:presets\/preview|(?:presets\/[^/]+\/)?resolve)$/

/** Whether a request changes nothing. */
export const isReading = (method: string, path: string): boolean =>
  method === "GET" || method === "HEAD" || (method === "POST" && readingPosts.test(path))

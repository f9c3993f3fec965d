/**
 * Offers the API to hosts as a function that takes a `Request`, and as a handler for Node's HTTP
 * server.
 */

import type { IncomingMessage, ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect } from "effect"
import { listPaths, type Mounted } from "./Mounted.ts"
import { toUnread } from "./ParsedBody.ts"

export { type Fetch, type Mounted, type MountOptions, mount, toFetch } from "./Mounted.ts"

/** Handles API requests. Passes on all other requests if the host has a next handler. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (fault?: unknown) => void
) => void

/**
 * Creates a handler for hosts that use Node's HTTP server: `node:http`, Connect, Express, Fastify.
 * The host may already have parsed the bodies.
 */
export const toHandler = ({ answer, context, owns, prefix, scope }: Mounted): Handler => {
  const handle = Effect.runSync(
    Effect.provideContext(NodeHttpServer.makeHandler(answer, { scope }), context)
  )
  return (request, response, next) => {
    const paths = listPaths(request, request.url ?? "")
    // If no prefix is set, the API is at the path where the host mounted it. Express removes that
    // path from `url`.
    const known = prefix === "" ? paths.slice(-1) : paths
    if (next !== undefined && !known.some(owns)) return next()
    handle(toUnread(request), response)
  }
}

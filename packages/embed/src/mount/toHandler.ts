/** The API for hosts of Node's own HTTP: `node:http`, Connect, Express, Fastify. */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect } from "effect"
import { listPaths, type Mounted } from "./Mounted.ts"
import { toUnread } from "./ParsedBody.ts"

/** Answers a request, or passes on what is not ours to a host that has something next. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (fault?: unknown) => void
) => void

/** Makes what answers the requests of a host, also those whose body the host has parsed. */
export const toHandler = ({ answer, context, owns, prefix, scope }: Mounted): Handler => {
  const handle = Effect.runSync(
    Effect.provideContext(NodeHttpServer.makeHandler(answer, { scope }), context)
  )
  return (request, response, next) => {
    const paths = listPaths(request, request.url ?? "")
    // Without a prefix of ours, what Express took away is a folder that it gave us.
    const known = prefix === "" ? paths.slice(-1) : paths
    if (next !== undefined && !known.some(owns)) return next()
    handle(toUnread(request), response)
  }
}

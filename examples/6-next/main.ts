/**
 * Simulates Next, which takes 300 MB to install: finds a request's route by its folder, and calls
 * the handler that the route exports. `npm run test:packages` tests Next itself.
 */
import { createServer } from "node:http"
import { getRequestListener } from "@hono/node-server"
import { announce, port } from "../hosts/host.ts"
import * as route from "./app/api/verbatim/[[...path]]/route.ts"
import { verbatim } from "./verbatim.ts"

const methods: Readonly<Record<string, (request: Request) => Promise<Response>>> = route

const pages = new Map([
  ["/", () => new Response("the host")],
  ["/boom", () => new Response("the host's own failure", { status: 500 })]
])

const answer = (request: Request): Promise<Response> | Response => {
  const { pathname } = new URL(request.url)
  const method = methods[request.method]
  if (/^\/api\/verbatim(?:\/|$)/.test(pathname) && method !== undefined) return method(request)
  return pages.get(pathname)?.() ?? new Response("the host has no such page", { status: 404 })
}

const server = createServer(getRequestListener(answer))
announce(server.listen(port, "127.0.0.1"), await verbatim)

/**
 * Simulates SvelteKit, which needs a build: calls the hook before its own routes. `npm run
 * test:packages` tests SvelteKit itself.
 */
import { createServer } from "node:http"
import { getRequestListener } from "@hono/node-server"
import { announce, port } from "../hosts/host.ts"
import { handle, verbatim } from "./src/hooks.server.ts"

const pages = new Map([
  ["/", () => new Response("the host")],
  ["/boom", () => new Response("the host's own failure", { status: 500 })]
])

const resolve = ({ url }: { readonly url: URL }): Response =>
  pages.get(url.pathname)?.() ?? new Response("the host has no such page", { status: 404 })

const server = createServer(
  getRequestListener((request) =>
    handle({ event: { request, url: new URL(request.url) }, resolve })
  )
)
announce(server.listen(port, "127.0.0.1"), verbatim)

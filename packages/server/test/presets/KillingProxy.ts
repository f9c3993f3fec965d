/**
 * A proxy before a server that kills a process of ours at one of its writes: before the server has
 * it, or after the server has answered and before the process knows.
 */

import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import { buffer } from "node:stream/consumers"

/** At which write, from 1, and on which side of it. */
export interface KillPoint {
  readonly write: number
  readonly side: "after" | "before"
}

const forward = async (address: string, request: IncomingMessage) => {
  const names = ["authorization", "content-type", "if-match", "if-none-match", "idempotency-key"]
  const headers = names.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === "string" ? [[name, value] as const] : []
  })
  const body = await buffer(request)
  return fetch(`${address}${request.url}`, {
    method: request.method ?? "GET",
    headers: Object.fromEntries(headers),
    ...(body.length === 0 ? {} : { body })
  })
}

/** Listens; `kill` is called at the point, and that write is never answered. */
export const startProxy = async (
  address: string,
  { kill, side, write }: KillPoint & { readonly kill: () => void }
) => {
  let writes = 0
  const server = createServer(async (request, response) => {
    if (request.method !== "GET") writes += 1
    const isPoint = request.method !== "GET" && writes === write
    if (isPoint && side === "before") return kill()
    const answer = await forward(address, request)
    const body = await answer.text()
    if (isPoint) return kill()
    response.writeHead(answer.status, { "content-type": "application/json" })
    response.end(body)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const bound = server.address()
  const port = typeof bound === "object" ? bound?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    writes: () => writes,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}

/** Media hosts on the local machine: real servers for the contract of `MediaFetcher`. */

import { createServer, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { Effect, Layer } from "effect"
import { type Hosting, MediaHosts } from "../contracts/cases/MediaFetcherCases.ts"
import { listen } from "./FreePort.ts"

const answer = (hosting: Hosting, response: ServerResponse): void => {
  if (hosting._tag === "SaysNothing") return
  if (hosting._tag === "NeverEnds") {
    response.writeHead(200, { "content-type": "audio/mpeg" })
    const timer = setInterval(() => response.write(new Uint8Array(1_000)), 10)
    response.on("close", () => clearInterval(timer))
    return
  }
  response.writeHead(hosting.status, hosting.headers)
  if (hosting.cutAfter === undefined) {
    response.end(hosting.content)
    return
  }
  response.write(hosting.content.slice(0, hosting.cutAfter), () => response.destroy())
}

/** Real servers on free ports at the loopback address. */
export const layer: Layer.Layer<MediaHosts> = Layer.succeed(MediaHosts, {
  open: (hosting) =>
    Effect.suspend(() => {
      const sockets = new Set<Socket>()
      let requestCount = 0
      const server = createServer((_, response) => {
        requestCount += 1
        answer(hosting, response)
      })
      server.on("connection", (socket) => {
        sockets.add(socket)
        socket.on("close", () => sockets.delete(socket))
      })
      return Effect.map(listen(server), (origin) => ({
        origin,
        requestCount: Effect.sync(() => requestCount),
        connected: Effect.sync(() => sockets.size)
      }))
    })
})

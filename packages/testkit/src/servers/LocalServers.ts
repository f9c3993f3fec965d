/**
 * Media hosts and webhook receivers on the local machine: real servers on free ports at the
 * loopback address, for the `MediaFetcher` and `WebhookSender` contracts.
 */
import { createServer, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { text } from "node:stream/consumers"
import { Effect, Layer } from "effect"
import { type Hosting, MediaHosts } from "../contracts/cases/MediaFetcherCases.ts"
import { type Arrived, Receivers } from "../contracts/cases/WebhookSenderCases.ts"
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

const mediaHosts: Layer.Layer<MediaHosts> = Layer.succeed(MediaHosts, {
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

const receivers: Layer.Layer<Receivers> = Layer.succeed(Receivers, {
  open: (manner) =>
    Effect.suspend(() => {
      const arrived: Array<Arrived> = []
      const server = createServer(async (request, response) => {
        const body = await text(request)
        const headers = Object.entries(request.headers).map(([name, value]) => [name, `${value}`])
        const { method = "", url: path = "" } = request
        arrived.push({ method, path, headers: Object.fromEntries(headers), body })
        if (manner._tag === "Closes") request.socket.destroy()
        if (manner._tag === "Answers")
          response.writeHead(manner.status, { ...manner.headers }).end()
      })
      return Effect.map(listen(server), (origin) => ({
        origin,
        arrived: Effect.sync(() => [...arrived])
      }))
    })
})

/** The media hosts for the `MediaFetcher` contract. */
export const LocalMediaHosts = { layer: mediaHosts }

/** The receivers for the `WebhookSender` contract. */
export const LocalReceivers = { layer: receivers }

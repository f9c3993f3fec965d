/**
 * Local servers on the loopback address: media hosts and webhook receivers for the `MediaFetcher`
 * and `WebhookSender` contracts, and free ports for other servers.
 */

import { randomInt } from "node:crypto"
import { createServer, type Server, type ServerResponse } from "node:http"
import { createServer as createTcpServer, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import { Effect, Layer, type Scope } from "effect"
import { type Hosting, MediaHosts } from "../contracts/cases/MediaFetcherCases.ts"
import { type Arrived, Receivers } from "../contracts/cases/WebhookSenderCases.ts"

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

// Free ports for servers that start later, or more than once. Systems assign ports in the upper
// half, even to outgoing connections, so a free port there may soon be in use. They assign none in
// the lower half.

/**
 * The ports to try, which lie above those of common services and below those that systems assign.
 */
const portMin = 20_000
const portMax = 32_768

/**
 * Maximum number of tries. Far fewer are needed, because a machine uses few ports in this range.
 */
const tryMax = 100

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createTcpServer()
    server.once("error", () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })

/** Finds a free port that the system itself never assigns. */
export const findFreePort = async (host = "127.0.0.1"): Promise<number> => {
  for (let attempts = 0; attempts < tryMax; attempts += 1) {
    const port = randomInt(portMin, portMax)
    if (await isFree(port, host)) return port
  }
  throw new Error(`no port from ${portMin} to ${portMax} is free`)
}

/** Starts a server, and returns its origin, `http://127.0.0.1:<port>`. */
export const listen = (server: Server): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        resume(Effect.succeed(`http://127.0.0.1:${Object(server.address()).port}`))
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

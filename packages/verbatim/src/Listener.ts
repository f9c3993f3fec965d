/**
 * The HTTP listener: time-outs for slow and silent clients, and a stop that does not wait for them.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Duration, Effect, Layer } from "effect"

/** A client that says nothing for this long is gone. */
const idleTimeout = Duration.seconds(60)

/** To send the headers of a request. */
const headersTimeout = Duration.seconds(20)

/** To send a whole request: 200 MB at 60 kB/s. */
const requestTimeout = Duration.hours(1)

/**
 * For requests still arriving when their answer has ended. Whoever goes on sending after that is
 * disconnected: an answered request would hold its connection until `requestTimeout`.
 */
const graceTimeout = Duration.seconds(1)

/** On a stop, requests that run may end within this; then their connections are closed. */
const drainTimeout = Duration.seconds(5)

const disconnect = (request: IncomingMessage, response: ServerResponse): void => {
  const isUnfinished = () => !request.complete && !request.socket.destroyed
  const close = () => isUnfinished() && request.socket.destroy()
  response.once("finish", () => {
    if (isUnfinished()) setTimeout(close, Duration.toMillis(graceTimeout)).unref()
  })
}

const makeServer = (): Server => {
  const server = createServer({
    headersTimeout: Duration.toMillis(headersTimeout),
    requestTimeout: Duration.toMillis(requestTimeout)
  })
  server.on("request", disconnect).on("checkContinue", disconnect)
  return server.setTimeout(Duration.toMillis(idleTimeout))
}

/** Listens on an address. Port 0 picks a free one. */
export const layer = (address: { readonly host: string; readonly port: number }) =>
  Layer.unwrap(
    Effect.sync(() => {
      const server = makeServer()
      const drain = Effect.addFinalizer(() =>
        Effect.sync(() => {
          const close = () => server.closeAllConnections()
          setTimeout(close, Duration.toMillis(drainTimeout)).unref()
        })
      )
      return Layer.effectDiscard(drain).pipe(
        Layer.provideMerge(
          NodeHttpServer.layer(() => server, { ...address, gracefulShutdownTimeout: drainTimeout })
        )
      )
    })
  )

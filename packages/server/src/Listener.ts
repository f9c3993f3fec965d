/**
 * Listens for HTTP requests, with timeouts for slow and silent clients. When it stops, it does not
 * wait for such clients.
 */
import type { Server } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { originHeaders } from "@verbatim/http"
import { Context, Duration, Effect, Layer, Record } from "effect"
import type { Configuration } from "./Configuration.ts"
import type { RefusalOptions } from "./listener/Refusal.ts"
import { SequentialServer, type ServerTimes } from "./listener/SequentialServer.ts"

/** The server's timeouts. A client that sends nothing for `idleTimeout` is disconnected. */
export type ListenerTimes = Readonly<Record<keyof ServerTimes | "idleTimeout", Duration.Duration>>

/** The timeouts of the listener. Only tests change them. */
export const ListenerTimes: Context.Reference<ListenerTimes> = Context.Reference(
  "@verbatim/server/ListenerTimes",
  {
    defaultValue: (): ListenerTimes => ({
      idleTimeout: Duration.seconds(60),
      headersTimeout: Duration.seconds(20),
      textTimeout: Duration.seconds(30),
      // A whole request may take up to an hour, enough to send 200 MB at 60 kB/s.
      requestTimeout: Duration.hours(1),
      // Idle connections stay open for 65 s, because load balancers reuse a connection for up to 60
      // s.
      keepAliveTimeout: Duration.seconds(65),
      // A response must begin within 65 minutes, because a call to the OpenAI-compatible API can
      // wait for an hour.
      answerTimeout: Duration.minutes(65),
      connectionsCheckingInterval: Duration.seconds(5)
    })
  }
)

export type ListenerSettings = Pick<
  Configuration,
  "host" | "port" | "connections" | "connectionsPerAddress" | "corsOrigins"
>

/**
 * When the server stops, running requests get this much time to finish before their connections are
 * closed.
 */
const drainTimeout = Duration.seconds(5)

const makeServer = (
  { connections, connectionsPerAddress, corsOrigins }: ListenerSettings,
  times: ListenerTimes,
  onRefused: RefusalOptions["onRefused"]
): Server => {
  const { idleTimeout, ...timeouts } = Record.map(times, Duration.toMillis)
  const server = new SequentialServer({
    ...timeouts,
    connections,
    connectionsPerAddress,
    originHeaders: (origin) => originHeaders(corsOrigins, origin),
    onRefused
  })
  return server.setTimeout(idleTimeout)
}

/**
 * Logs a request that was refused before routing. The line contains nothing that the client sent.
 */
const logRefusal = ({ id, message, status }: Parameters<RefusalOptions["onRefused"]>[0]) =>
  Effect.annotateLogs(Effect.logInfo(`Refused: ${status} ${message}`), { request: id, status })

/** Listens on an address. Port 0 selects a free port. */
export const layer = (settings: ListenerSettings) =>
  Layer.unwrap(
    Effect.map(Effect.all([ListenerTimes, Effect.context<never>()]), ([times, context]) => {
      const { host, port } = settings
      const run = Effect.runForkWith(context)
      const server = makeServer(settings, times, (refusal) => void run(logRefusal(refusal)))
      const drain = Effect.addFinalizer(() =>
        Effect.sync(() => {
          const close = () => server.closeAllConnections()
          setTimeout(close, Duration.toMillis(drainTimeout)).unref()
        })
      )
      return Layer.effectDiscard(drain).pipe(
        Layer.provideMerge(
          NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: drainTimeout })
        )
      )
    })
  )

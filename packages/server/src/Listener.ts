/**
 * The HTTP listener. It has timeouts for slow and silent clients, and does not wait for such
 * clients when it stops.
 */
import type { Server } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { originHeaders } from "@verbatim/http"
import { Context, Duration, Effect, Layer } from "effect"
import type { Configuration } from "./Configuration.ts"
import type { RefusalOptions } from "./listener/Refusal.ts"
import { SequentialServer } from "./listener/SequentialServer.ts"

export interface ListenerTimes {
  /** A client that sends nothing for this long is disconnected. */
  readonly idle: Duration.Duration
  /** How long a client has to send a request's headers. */
  readonly headers: Duration.Duration
  /** How long a client has to send a body without a file. */
  readonly text: Duration.Duration
  /** How long a client has to send a whole request. */
  readonly request: Duration.Duration
  /** The time between a response and the next request on its connection. */
  readonly unused: Duration.Duration
  /** The maximum time until a response begins, longer than any intended wait. */
  readonly answer: Duration.Duration
  /**
   * Interval at which timeouts are checked. With Node's default of 30 s, a timeout could last
   * twice as long as intended.
   */
  readonly check: Duration.Duration
}

/** The listener's timeouts. Only tests change them. */
export const ListenerTimes: Context.Reference<ListenerTimes> = Context.Reference(
  "@verbatim/server/ListenerTimes",
  {
    defaultValue: (): ListenerTimes => ({
      idle: Duration.seconds(60),
      headers: Duration.seconds(20),
      text: Duration.seconds(30),
      // A whole request may take up to an hour, enough to send 200 MB at 60 kB/s.
      request: Duration.hours(1),
      // Idle connections stay open for 65 s, because load balancers reuse a connection for up to 60
      // s.
      unused: Duration.seconds(65),
      // A response must begin within 65 minutes: a call to the OpenAI-compatible API waits for up
      // to an hour.
      answer: Duration.minutes(65),
      check: Duration.seconds(5)
    })
  }
)

/** The address to listen on, and the limits. */
export type ListenerSettings = Pick<
  Configuration,
  "host" | "port" | "connections" | "connectionsPerAddress" | "corsOrigins"
>

/**
 * When the server stops, running requests have this long to finish before their connections are
 * closed.
 */
const drainTimeout = Duration.seconds(5)

const makeServer = (
  { connections, connectionsPerAddress, corsOrigins }: ListenerSettings,
  times: ListenerTimes,
  onRefused: RefusalOptions["onRefused"]
): Server => {
  const server = new SequentialServer({
    connections,
    connectionsPerAddress,
    originHeaders: (origin) => originHeaders(corsOrigins, origin),
    onRefused,
    headersTimeout: Duration.toMillis(times.headers),
    textTimeout: Duration.toMillis(times.text),
    requestTimeout: Duration.toMillis(times.request),
    answerTimeout: Duration.toMillis(times.answer),
    keepAliveTimeout: Duration.toMillis(times.unused),
    connectionsCheckingInterval: Duration.toMillis(times.check)
  })
  return server.setTimeout(Duration.toMillis(times.idle))
}

/** Logs a request that was refused before routing, without anything that the client sent. */
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

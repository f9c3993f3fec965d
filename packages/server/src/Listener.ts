/**
 * The HTTP listener: time-outs for slow and silent clients, and a stop that does not wait for them.
 */
import type { Server } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { originHeaders } from "@verbatim/http"
import { Context, Duration, Effect, Layer } from "effect"
import type { Configuration } from "./Configuration.ts"
import type { RefusalOptions } from "./listener/Refusal.ts"
import { SequentialServer } from "./listener/SequentialServer.ts"

/** How long the listener waits for its clients. */
export interface ListenerTimes {
  /** A client that says nothing for this long is gone. */
  readonly idle: Duration.Duration
  /** To send the headers of a request. */
  readonly headers: Duration.Duration
  /** To send a body without a file. */
  readonly text: Duration.Duration
  /** To send a whole request. */
  readonly request: Duration.Duration
  /** Between an answer and the next request of its connection. */
  readonly unused: Duration.Duration
  /** Until an answer begins: longer than anybody waits for one on purpose. */
  readonly answer: Duration.Duration
  /** How often requests are looked at that take too long; Node's 30 s would double a limit. */
  readonly check: Duration.Duration
}

/** Only tests have others. */
export const ListenerTimes: Context.Reference<ListenerTimes> = Context.Reference(
  "@verbatim/server/ListenerTimes",
  {
    defaultValue: (): ListenerTimes => ({
      idle: Duration.seconds(60),
      headers: Duration.seconds(20),
      text: Duration.seconds(30),
      // 200 MB at 60 kB/s.
      request: Duration.hours(1),
      // Balancers send requests on connections that were unused for up to 60 s.
      unused: Duration.seconds(65),
      // A call in the form of OpenAI's API waits for an hour at most.
      answer: Duration.minutes(65),
      check: Duration.seconds(5)
    })
  }
)

/** Where to listen, and for how many. */
export type ListenerSettings = Pick<
  Configuration,
  "host" | "port" | "connections" | "connectionsPerAddress" | "corsOrigins"
>

/** On a stop, requests that run may end within this; then their connections are closed. */
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

/** A line for what no operation ever sees. Our words alone: nothing of what was sent. */
const logRefusal = ({ id, message, status }: Parameters<RefusalOptions["onRefused"]>[0]) =>
  Effect.annotateLogs(Effect.logInfo(`Refused: ${status} ${message}`), { request: id, status })

/** Listens on an address. Port 0 picks a free one. */
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

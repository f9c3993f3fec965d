/**
 * The standalone server: what one process runs, by its roles, and in which order it starts.
 */
import { sqlMetrics } from "@verbatim/adapters/sql"
import * as Page from "@verbatim/console"
import { ListenerLimits, Services } from "@verbatim/core/services"
import { Drain, Gauges } from "@verbatim/core/worker"
import { workerName } from "@verbatim/embed/effect"
import { codeOf } from "@verbatim/embed/trouble"
import * as Http from "@verbatim/http"
import { Console, Effect, Layer, Option } from "effect"
import { HttpServer, type HttpServerError } from "effect/http"
import { foundation, worker } from "./Application.ts"
import { type Configuration, usualHealthPort } from "./Configuration.ts"
import * as FirstStart from "./FirstStart.ts"
import * as Listener from "./Listener.ts"
import { warnOfOpen } from "./Metrics.ts"
import * as GaugeRefresh from "./telemetry/GaugeRefresh.ts"
import * as Vitals from "./Vitals.ts"

const announce = Layer.effectDiscard(
  HttpServer.addressFormattedWith((address) => Console.log(`Verbatim listens on ${address}`))
)

const announceWork = Layer.effectDiscard(Console.log(`Verbatim works as ${workerName}`))

/** The route of the metrics, for a router; none where they are off. */
const metricsRoute = ({ host, metrics }: Configuration) => {
  const { isOn, token } = metrics
  if (!isOn) return Layer.empty
  const route = Http.metricsRoute({ token, more: Object.values(sqlMetrics) })
  return Layer.merge(route, Layer.effectDiscard(warnOfOpen(metrics, host)))
}

/** The console, for a router; none where it is off. */
const consoleRoutes = (isOn: boolean) => (isOn ? Page.Console.layer() : Layer.empty)

/**
 * Answers requests. Every setting that only a listening process has goes in here: tests listen with
 * this layer too.
 */
export const http = (configuration: Configuration) =>
  Http.serve(metricsRoute(configuration), consoleRoutes(configuration.isConsoleOn)).pipe(
    Layer.provideMerge(Listener.layer(configuration)),
    Layer.provide(Vitals.layer(configuration)),
    Layer.provide([
      Layer.succeed(Http.KeyLimits, { requestMax: configuration.requestsPerKey }),
      Layer.succeed(Http.CrossOrigins, configuration.corsOrigins)
    ])
  )

const announceHealth = Layer.effectDiscard(
  HttpServer.addressFormattedWith((address) =>
    Console.log(`Verbatim tells how it is doing on ${address}/health/ready`)
  )
)

const isTaken = ({ cause }: HttpServerError.ServeError): boolean => codeOf(cause) === "EADDRINUSE"

/** Answers whoever watches a process that has no API. */
const health = (configuration: Configuration, port: number) =>
  Layer.provide(announceHealth, Http.watching(metricsRoute(configuration))).pipe(
    // Nothing here is for the page of another origin.
    Layer.provide(Listener.layer({ ...configuration, port, corsOrigins: new Set() })),
    Layer.provide(Vitals.layer(configuration))
  )

/**
 * The same on the port that the operator named, or on the usual one. Where another worker of this
 * machine has that already, a free one is picked: nobody asked for it, so nothing fails for it.
 */
const healthAsSet = (configuration: Configuration) => {
  if (Option.isNone(configuration.healthPort)) {
    return Layer.catchTag(health(configuration, usualHealthPort), "ServeError", (error) =>
      isTaken(error) ? health(configuration, 0) : Layer.effectDiscard(Effect.fail(error))
    )
  }
  const port = configuration.healthPort.value
  return port === "off" ? Layer.empty : health(configuration, port)
}

/** What each role stands on: services over the stores, with a first workspace in them. */
export const ground = (configuration: Configuration) =>
  Layer.effectDiscard(FirstStart.prepare(configuration)).pipe(
    Layer.provideMerge(Services.layer),
    Layer.provide(Layer.succeed(ListenerLimits, configuration.listenerLimits)),
    Layer.provideMerge(foundation(configuration))
  )

/**
 * A process with the roles of its configuration. It listens once its store is ready for callers.
 */
export const server = (configuration: Configuration) =>
  serverWith(configuration, worker(configuration))

/** The same with another worker, for programs that have their own engines. */
export const serverWith = (configuration: Configuration, working: ReturnType<typeof worker>) => {
  const { roles } = configuration
  const listening = roles.has("http")
    ? Layer.provide(announce, http(configuration))
    : healthAsSet(configuration)
  const atWork = roles.has("worker") ? Layer.provideMerge(announceWork, working) : Layer.empty
  const refreshing = Layer.provide(GaugeRefresh.layer(configuration.telemetry), Gauges.layer)
  // Requests may take seconds to end.
  return Drain.layer.pipe(
    Layer.provideMerge(Layer.merge(listening, refreshing)),
    Layer.provideMerge(atWork),
    Layer.provide(ground(configuration))
  )
}

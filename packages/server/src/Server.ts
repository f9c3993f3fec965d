/**
 * The standalone server: what one process runs, by its roles, and in which order it starts.
 */
import { sqlMetrics } from "@verbatim/adapters/sql"
import * as Page from "@verbatim/console"
import { Services, SubscriberLimits } from "@verbatim/core/services"
import { version } from "@verbatim/core/version"
import { drainFirst, Gauges } from "@verbatim/core/worker"
import { workerName } from "@verbatim/embed/effect"
import { codeOf } from "@verbatim/embed/trouble"
import * as Http from "@verbatim/http"
import { Console, Effect, Layer, Option } from "effect"
import { HttpServer, type HttpServerError } from "effect/http"
import { adapters } from "./adapters.ts"
import { type Configuration, defaultHealthPort, warnOfOpenMetrics } from "./Configuration.ts"
import { worker } from "./Engines.ts"
import * as FirstStart from "./FirstStart.ts"
import * as HealthReport from "./HealthReport.ts"
import * as Listener from "./Listener.ts"
import * as GaugeRefresh from "./telemetry/GaugeRefresh.ts"

const announce = Layer.effectDiscard(
  HttpServer.addressFormattedWith((address) => Console.log(`Verbatim listens on ${address}`))
)

const announceWork = Layer.effectDiscard(Console.log(`Worker ${workerName} started`))

/** The route of the metrics, for a router; none where they are off. */
const metricsRoute = ({ host, metrics }: Configuration) => {
  const { isOn, token } = metrics
  if (!isOn) return Layer.empty
  const route = Http.metricsRoute({ token, more: Object.values(sqlMetrics) })
  return Layer.merge(route, Layer.effectDiscard(warnOfOpenMetrics(metrics, host)))
}

/** The console, for a router; none where it is off. */
const consoleRoutes = (isOn: boolean) => (isOn ? Page.Console.layer() : Layer.empty)

/** Answers requests on a port that is listened on already. */
const answering = (configuration: Configuration) =>
  Http.serve(metricsRoute(configuration), consoleRoutes(configuration.isConsoleOn)).pipe(
    Layer.provide(HealthReport.layer(configuration)),
    Layer.provide([
      Layer.succeed(Http.KeyLimits, { requestMax: configuration.requestsPerKey }),
      Layer.succeed(Http.CrossOrigins, configuration.corsOrigins)
    ])
  )

/**
 * The same with its listener. Every setting that only a listening process has goes in here: tests
 * listen with this layer too.
 */
export const http = (configuration: Configuration) =>
  Layer.provideMerge(answering(configuration), Listener.layer(configuration))

const usualPortTaken =
  ` (port ${defaultHealthPort} is taken, so this one changes with each start: ` +
  "set VERBATIM_HEALTH_PORT to fix it)"

const announceHealth = ({ healthPort }: Configuration) =>
  Layer.effectDiscard(
    HttpServer.addressFormattedWith((address) => {
      const isUsual = address.endsWith(`:${defaultHealthPort}`)
      const hint = Option.isSome(healthPort) || isUsual ? "" : usualPortTaken
      return Console.log(`Health checks at ${address}/health/ready${hint}`)
    })
  )

const isTaken = ({ cause }: HttpServerError.ServeError): boolean => codeOf(cause) === "EADDRINUSE"

/** Answers health checks of a process that has no API. */
const healthRoutes = (configuration: Configuration) =>
  Layer.provide(announceHealth(configuration), Http.watching(metricsRoute(configuration))).pipe(
    Layer.provide(HealthReport.layer(configuration))
  )

/** Nothing here is for the page of another origin. */
const healthListener = (configuration: Configuration, port: number) =>
  Listener.layer({ ...configuration, port, corsOrigins: new Set() })

/**
 * The port that the operator named, or the usual one. Where another worker of this machine has that
 * already, a free one is picked: the operator did not choose it.
 */
const healthListenerAsSet = (configuration: Configuration, port: number) => {
  const listener = healthListener(configuration, port)
  if (Option.isSome(configuration.healthPort)) return listener
  return Layer.catchTag(listener, "ServeError", (error) =>
    isTaken(error)
      ? healthListener(configuration, 0)
      : Layer.effect(HttpServer.HttpServer, Effect.fail(error))
  )
}

/** What each role stands on: services over the stores, with a first workspace in them. */
export const preparedServices = (configuration: Configuration) =>
  Layer.effectDiscard(FirstStart.prepare(configuration)).pipe(
    Layer.provideMerge(Services.layer),
    Layer.provide(Layer.succeed(ListenerLimits, configuration.listenerLimits)),
    Layer.provideMerge(adapters(configuration))
  )

/** The first line of the log. */
const announceStart = ({ roles }: Configuration) =>
  Layer.effectDiscard(
    Effect.logInfo(
      `Starting Verbatim ${version} on Node ${process.versions.node}: ${[...roles].join(", ")}`
    )
  )

/** A process with the roles of its configuration. */
export const server = (configuration: Configuration) =>
  serverWith(configuration, worker(configuration))

/**
 * The same with another worker, for programs that have their own engines. It listens first: where
 * the port is taken, no store is made, no key is issued, and no work begins.
 */
export const serverWith = (configuration: Configuration, working: ReturnType<typeof worker>) => {
  const { roles } = configuration
  const announcedWorker = roles.has("worker")
    ? Layer.provideMerge(announceWork, working)
    : Layer.empty
  const refreshing = Layer.provide(GaugeRefresh.layer(configuration.telemetry), Gauges.layer)
  const over = <E, R>(routes: Layer.Layer<never, E, R>) =>
    // Requests may take seconds to end.
    drainFirst.pipe(
      Layer.provideMerge(Layer.merge(routes, refreshing)),
      Layer.provideMerge(announcedWorker),
      Layer.provide(preparedServices(configuration)),
      Layer.provide(announceStart(configuration))
    )
  if (roles.has("http")) {
    const routes = Layer.provideMerge(announce, answering(configuration))
    return Layer.provide(over(routes), Listener.layer(configuration))
  }
  const port = Option.getOrElse(configuration.healthPort, () => defaultHealthPort)
  if (port === "off") return over(Layer.empty)
  return Layer.provide(over(healthRoutes(configuration)), healthListenerAsSet(configuration, port))
}

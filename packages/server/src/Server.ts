/** Runs the standalone server. A process starts the parts that its roles need, in a fixed order. */

import { fileURLToPath } from "node:url"
import { sqlMetrics } from "@verbatim/adapters/sql"
import * as Page from "@verbatim/console"
import { StaticFiles } from "@verbatim/console"
import { Services, SubscriberLimits } from "@verbatim/core/services"
import { version } from "@verbatim/core/version"
import { drainFirst } from "@verbatim/core/worker"
import { workerName } from "@verbatim/embed/effect"
import { codeOf } from "@verbatim/embed/trouble"
import * as Http from "@verbatim/http"
import { Console, Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServer, type HttpServerError } from "effect/http"
import { adapters } from "./adapters.ts"
import { type Configuration, defaultHealthPort, warnAboutOpenMetrics } from "./Configuration.ts"
import { worker } from "./Engines.ts"
import * as FirstStart from "./FirstStart.ts"
import * as HealthReport from "./HealthReport.ts"
import * as Listener from "./Listener.ts"
import * as PlatformNames from "./settings/PlatformNames.ts"
import { RuntimeMetrics, refreshExported } from "./telemetry/RuntimeMetrics.ts"

/**
 * The content policy of the static pages restricts only the origin, because the site generator adds
 * inline scripts and styles to them.
 */
const guidePolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'"
].join("; ")

/** Serves the documentation, which `npm run site` builds, at `/guide`. */
const guideRoutes = HttpRouter.use((router) =>
  StaticFiles.add(router, {
    prefix: "/guide",
    folder: fileURLToPath(new URL("../dist/guide/", import.meta.url)),
    headers: {
      "content-security-policy": guidePolicy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer"
    },
    missing: "The documentation is not built here: run npm run site."
  })
)

const announce = Layer.effectDiscard(
  HttpServer.addressFormattedWith((address) => Console.log(`Verbatim listens on ${address}`))
)

const announceWork = Layer.effectDiscard(Console.log(`Worker ${workerName} started`))

/** Adds the metrics route if metrics are enabled. */
const metricsRoute = ({ host, metrics }: Configuration) => {
  const { isOn, token } = metrics
  if (!isOn) return Layer.empty
  const route = Effect.map(RuntimeMetrics, ({ refresh }) =>
    Http.metricsRoute({ token, more: [...Object.values(sqlMetrics), { begin: refresh }] })
  ).pipe(Layer.unwrap, Layer.provide(RuntimeMetrics.layer))
  return Layer.merge(route, Layer.effectDiscard(warnAboutOpenMetrics(metrics, host)))
}

const pageRoutes = ({ isConsoleOn, isGuideOn }: Configuration) =>
  Layer.merge(
    isConsoleOn ? Page.Console.layer() : Layer.empty,
    isGuideOn ? guideRoutes : Layer.empty
  )

/** Handles requests on a listener that is already running. */
const answering = (configuration: Configuration) =>
  Http.serve(metricsRoute(configuration), pageRoutes(configuration)).pipe(
    Layer.provide(HealthReport.layer(configuration)),
    Layer.provide([
      Layer.succeed(Http.KeyLimits, { maxRequests: configuration.requestsPerKey }),
      Layer.succeed(Http.CrossOrigins, configuration.corsOrigins),
      Layer.succeed(Http.ServesMcp, configuration.isMcpOn)
    ])
  )

/**
 * Answers requests on a listener of its own. This layer applies all settings of a process that
 * listens, so tests use the same settings.
 */
export const http = (configuration: Configuration) =>
  Layer.provideMerge(answering(configuration), Listener.layer(configuration))

const usualPortTaken =
  ` (port ${defaultHealthPort} is taken, so this one changes with each start: set ` +
  "VERBATIM_HEALTH_PORT to choose one)"

const announceHealth = ({ healthPort }: Configuration) =>
  Layer.effectDiscard(
    HttpServer.addressFormattedWith((address) => {
      const isUsual = address.endsWith(`:${defaultHealthPort}`)
      const hint = Option.isSome(healthPort) || isUsual ? "" : usualPortTaken
      return Console.log(`Health checks at ${address}/health/ready${hint}`)
    })
  )

const isTaken = ({ cause }: HttpServerError.ServeError): boolean => codeOf(cause) === "EADDRINUSE"

/** Handles health checks in a process without the API. */
const healthRoutes = (configuration: Configuration) =>
  Layer.provide(announceHealth(configuration), Http.serveHealth(metricsRoute(configuration))).pipe(
    Layer.provide(HealthReport.layer(configuration))
  )

/** Listens for health checks only. Pages from other origins cannot use these routes. */
const healthListener = (configuration: Configuration, port: number) =>
  Listener.layer({ ...configuration, port, corsOrigins: new Set() })

/**
 * Listens for health checks on the configured port or the default port. If another worker on this
 * machine uses the default port, a free port is chosen, because the operator did not request the
 * default.
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

/** Provides the services that all roles need, on a store that already has its first workspace. */
export const preparedServices = (configuration: Configuration) =>
  Layer.effectDiscard(FirstStart.prepare(configuration)).pipe(
    Layer.provideMerge(Services.layer),
    Layer.provide(Layer.succeed(SubscriberLimits, configuration.listenerLimits)),
    Layer.provideMerge(adapters(configuration))
  )

/** Logs the first lines of a process. */
const announceStart = ({ roles }: Configuration) =>
  Layer.effectDiscard(
    Effect.andThen(
      Effect.logInfo(
        `Starting Verbatim ${version} on Node ${process.versions.node}: ${[...roles].join(", ")}`
      ),
      PlatformNames.announce
    )
  )

/** Runs a process with the roles of its configuration. */
export const server = (configuration: Configuration) =>
  serverWith(configuration, worker(configuration))

/**
 * Runs a process with the given worker, for programs that have their own engines. The process
 * listens first, so if the port is taken, no store is created, no key is issued, and no work
 * begins.
 */
export const serverWith = (configuration: Configuration, working: ReturnType<typeof worker>) => {
  const { roles } = configuration
  const announcedWorker = roles.has("worker")
    ? Layer.provideMerge(announceWork, working)
    : Layer.empty
  const over = <E, R>(routes: Layer.Layer<never, E, R>) =>
    // The worker is drained first, because running requests can take seconds to finish.
    drainFirst.pipe(
      Layer.provideMerge(Layer.merge(routes, refreshExported(configuration.telemetry))),
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

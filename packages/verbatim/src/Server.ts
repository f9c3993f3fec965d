/**
 * The standalone server: what one process runs, by its roles, and in which order it starts.
 */

import { Services } from "@verbatim/core/services"
import { Drain } from "@verbatim/core/worker"
import * as Http from "@verbatim/http"
import { Console, Layer } from "effect"
import { HttpServer } from "effect/http"
import { foundation, worker, workerName } from "./Application.ts"
import type { Configuration } from "./Configuration.ts"
import * as FirstStart from "./FirstStart.ts"
import * as Listener from "./Listener.ts"
import { metricsRoute } from "./Metrics.ts"
import * as Vitals from "./Vitals.ts"

const announce = Layer.effectDiscard(
  HttpServer.addressFormattedWith((address) => Console.log(`Verbatim listens on ${address}`))
)

const announceWork = Layer.effectDiscard(Console.log(`Verbatim works as ${workerName}`))

/**
 * Answers requests. Every setting that only a listening process has goes in here: tests listen with
 * this layer too.
 */
export const http = (configuration: Configuration) =>
  Http.serve(metricsRoute(configuration.metrics)).pipe(
    Layer.provideMerge(Listener.layer(configuration)),
    Layer.provide(Vitals.layer(configuration)),
    Layer.provide(Layer.succeed(Http.KeyLimits, { requestMax: configuration.requestsPerKey }))
  )

/** What each role stands on: services over the stores, with a first workspace in them. */
export const ground = (configuration: Configuration) =>
  Layer.effectDiscard(FirstStart.prepare(configuration)).pipe(
    Layer.provideMerge(Services.layer),
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
  const listening = roles.has("http") ? Layer.provide(announce, http(configuration)) : Layer.empty
  const atWork = roles.has("worker") ? Layer.provideMerge(announceWork, working) : Layer.empty
  // Requests may take seconds to end.
  return Drain.layer.pipe(
    Layer.provideMerge(listening),
    Layer.provideMerge(atWork),
    Layer.provide(ground(configuration))
  )
}

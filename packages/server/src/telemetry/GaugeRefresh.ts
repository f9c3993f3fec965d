/**
 * Refreshes the gauges for a collector. Unlike a reader of `/metrics`, a collector sends no request
 * that would refresh the gauges.
 */
import { Gauges } from "@verbatim/core/worker"
import { Duration, Effect, Layer } from "effect"
import { RuntimeMetrics } from "./RuntimeMetrics.ts"
import type { TelemetryConfiguration } from "./TelemetryConfiguration.ts"

/** The interval of the exporter, and of the queries for the gauges. */
const interval = Duration.seconds(10)

const refreshAlways = Effect.flatMap(Effect.all([Gauges, RuntimeMetrics]), ([gauges, ownProcess]) =>
  Effect.andThen(ownProcess.refresh, gauges.refresh).pipe(
    Effect.catchCause((cause) => Effect.logWarning("Gauges could not be refreshed", cause)),
    Effect.andThen(Effect.sleep(interval)),
    Effect.forever,
    Effect.forkScoped
  )
)

/** Refreshes the gauges if the process exports its metrics. */
export const layer = ({ urls }: Pick<TelemetryConfiguration, "urls">) =>
  urls.metrics === undefined ? Layer.empty : Layer.effectDiscard(refreshAlways)

/**
 * Brings the gauges up to date for a collector: it asks for nothing, so whoever sends to it has to
 * ask before. Where no metrics are sent, nobody asks.
 */
import { Gauges } from "@verbatim/core/worker"
import { Duration, Effect, Layer } from "effect"
import type { TelemetryConfiguration } from "./TelemetryConfiguration.ts"

/** As often as the exporter sends, and as the gauges ask their store. */
const interval = Duration.seconds(10)

const refreshAlways = Effect.flatMap(Gauges, ({ refresh }) =>
  refresh.pipe(
    Effect.catchCause((cause) => Effect.logWarning("Gauges could not be refreshed", cause)),
    Effect.andThen(Effect.sleep(interval)),
    Effect.forever,
    Effect.forkScoped
  )
)

/** Refreshes from the start on, in a process that sends its metrics. */
export const layer = ({ urls }: Pick<TelemetryConfiguration, "urls">) =>
  urls.metrics === undefined ? Layer.empty : Layer.effectDiscard(refreshAlways)

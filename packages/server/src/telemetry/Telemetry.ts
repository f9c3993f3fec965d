/**
 * What a process tells others about itself while it runs: spans, metrics and lines of the log, to a
 * collector that speaks OTLP. Without one, nothing is made and nothing is sent.
 */
import { hostname } from "node:os"
import { version } from "@verbatim/core/version"
import { Duration, Effect, Layer, Logger, Redacted, References, Tracer } from "effect"
import { HttpClient } from "effect/http"
import {
  OtlpExporter,
  OtlpLogger,
  OtlpMetrics,
  OtlpSerialization,
  OtlpTracer
} from "effect/observability"
import * as Collector from "./Collector.ts"
import * as RequestTracer from "./RequestTracer.ts"
import type { Signal, TelemetryConfiguration } from "./TelemetryConfiguration.ts"

/** A stop waits so long for each signal, and there are three. */
const shutdownTimeout = Duration.seconds(2)

const resourceOf = ({ attributes, serviceName }: TelemetryConfiguration) => ({
  serviceName,
  serviceVersion: version,
  attributes: {
    "host.name": hostname(),
    "process.pid": process.pid,
    "service.instance.id": `${hostname()} ${process.pid}`,
    ...attributes
  }
})

const headersOf = ({ headers }: TelemetryConfiguration) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)] as const)
  )

/** Exporters for the signals that have somewhere to go. */
export const layer = (configuration: TelemetryConfiguration): Layer.Layer<never> => {
  const { protocol, urls } = configuration
  const common = {
    resource: resourceOf(configuration),
    headers: headersOf(configuration),
    shutdownTimeout
  }
  const onlyIf = <R>(signal: Signal, make: (url: string) => Layer.Layer<never, never, R>) => {
    const url = urls[signal]
    return url === undefined ? Layer.empty : make(url)
  }
  const exporters = Layer.mergeAll(
    onlyIf("traces", (url) =>
      Layer.merge(
        Layer.effect(
          Tracer.Tracer,
          Effect.map(OtlpTracer.make({ ...common, url }), RequestTracer.over)
        ),
        Layer.succeed(References.TracerEnabled, true)
      )
    ),
    onlyIf("metrics", (url) => Layer.effectDiscard(OtlpMetrics.make({ ...common, url }))),
    onlyIf("logs", (url) =>
      Logger.layer([OtlpLogger.make({ ...common, url })], { mergeWithExisting: true })
    )
  )
  return exporters.pipe(
    Layer.provide([
      OtlpExporter.layerFlusher,
      protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf,
      Layer.effect(HttpClient.HttpClient, Collector.make)
    ])
  )
}

/**
 * Exports spans, metrics and log lines to a collector that understands OTLP. Without a collector,
 * nothing is created or sent.
 */
import { hostname } from "node:os"
import { version } from "@verbatim/core/version"
import {
  Cause,
  Duration,
  Effect,
  Exit,
  Layer,
  Logger,
  Option,
  Predicate,
  Redacted,
  References,
  Tracer
} from "effect"
import { HttpClient } from "effect/http"
import {
  OtlpExporter,
  OtlpLogger,
  OtlpMetrics,
  OtlpSerialization,
  OtlpTracer
} from "effect/observability"
import * as Collector from "./Collector.ts"
import type { Signal, TelemetryConfiguration } from "./TelemetryConfiguration.ts"

/** Kinds of spans that external input triggers. */
const rootKinds: ReadonlySet<Tracer.SpanKind> = new Set(["server", "consumer"])

const fallback = "Error"

/** Returns the kind of a failure: its tag or class name. */
const nameOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const names = ["_tag", "name"].map((key) =>
    Predicate.hasProperty(error, key) ? error[key] : undefined
  )
  return names.find(isName) ?? fallback
}

/** Whether a string looks like the name of an error class, and not like external input. */
const isName = (text: unknown): text is string =>
  typeof text === "string" && /^\w{1,64}$/.test(text)

const withoutMessage = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const name = nameOf(exit.cause)
  // The stack trace is omitted, because it shows only our code and is always the same.
  return Exit.fail({ name, message: name, stack: name })
}

/**
 * Limits a tracer to requests and job attempts. Other activity of the process, such as looking for
 * work, is not traced. A failed span states only the kind of failure, because messages may contain
 * client input.
 */
const onlyRequests = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const isRequested = Option.isSome(options.parent) || rootKinds.has(options.kind)
      const span = tracer.span(isRequested ? options : { ...options, sampled: false })
      if (!span.sampled) return span
      const end = span.end.bind(span)
      return Object.assign(span, {
        end: (at: bigint, exit: Exit.Exit<unknown, unknown>) => end(at, withoutMessage(exit))
      })
    },
    ...(tracer.context === undefined ? {} : { context: tracer.context })
  })

/** Maximum time to wait for each of the three kinds of telemetry when the process stops. */
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

/** Exports the signals that have a URL. */
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
        Layer.effect(Tracer.Tracer, Effect.map(OtlpTracer.make({ ...common, url }), onlyRequests)),
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

/**
 * Measures this process: CPU time, memory and event-loop delay. The metrics have the same names as
 * in Prometheus clients for Node.
 */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { type MetricRow, type MetricTable, makeRecorders } from "@verbatim/core/metrics"
import { Gauges } from "@verbatim/core/worker"
import { Context, Duration, Effect, Layer, Struct } from "effect"
import type { TelemetryConfiguration } from "./TelemetryConfiguration.ts"

const metric = <const Name extends MetricRow["name"]>(name: Name, help: string) => ({
  name,
  help,
  labels: {}
})

/** The metrics that every process has. */
export const runtimeTable = {
  cpu: metric(
    "process_cpu_seconds_total",
    "CPU time that this process has used, without its child processes."
  ),
  start: metric("process_start_time_seconds", "When this process started, in seconds since 1970."),
  memory: metric(
    "process_resident_memory_bytes",
    "Memory of this process, without its child processes."
  ),
  heapUsed: metric("nodejs_heap_size_used_bytes", "Memory that JavaScript objects occupy."),
  heapTotal: metric(
    "nodejs_heap_size_total_bytes",
    "Memory that is reserved for JavaScript objects."
  ),
  external: metric(
    "nodejs_external_memory_bytes",
    "Memory of buffers and other objects outside the heap."
  ),
  delayP99: metric(
    "nodejs_eventloop_lag_p99_seconds",
    "Delay that 99 % of the event loop's timers did not exceed, over the last 10 s or more."
  ),
  delayMax: metric(
    "nodejs_eventloop_lag_max_seconds",
    "Longest delay of the event loop's timers over the last 10 s or more."
  )
} satisfies MetricTable

const recorders = makeRecorders(runtimeTable)

/** Interval at which the delay is measured. Node's measurements include this interval. */
const resolutionMillis = 20

/** All readers see the same delays for this many milliseconds, until a new measurement begins. */
const periodMillis = 10_000

/** Reads the CPU time of the process, which is real even in tests with a simulated clock. */
const secondsOfCpu = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e6
}

const monitorDelays = () => {
  const delays = monitorEventLoopDelay({ resolution: resolutionMillis })
  let begunAt = Number.NEGATIVE_INFINITY
  const toSeconds = (nanos: number): number => Math.max(0, nanos / 1e9 - resolutionMillis / 1e3)
  let last = { p99: 0, max: 0 }
  const read = () => {
    const now = performance.now()
    if (now - begunAt < periodMillis || delays.count === 0) return last
    last = { p99: toSeconds(delays.percentile(99)), max: toSeconds(delays.max) }
    begunAt = now
    delays.reset()
    return last
  }
  delays.enable()
  return { read, stop: () => delays.disable() }
}

/** Records the metrics of this process. */
export class RuntimeMetrics extends Context.Service<
  RuntimeMetrics,
  { readonly refresh: Effect.Effect<void> }
>()("@verbatim/server/RuntimeMetrics") {
  static readonly layer: Layer.Layer<RuntimeMetrics> = Layer.effect(
    RuntimeMetrics,
    Effect.gen(function* () {
      const delays = yield* Effect.acquireRelease(Effect.sync(monitorDelays), ({ stop }) =>
        Effect.sync(stop)
      )
      let counted = 0
      const refresh = Effect.suspend(() => {
        const cpu = secondsOfCpu()
        const added = cpu - counted
        counted = cpu
        const { external, heapTotal, heapUsed, rss } = process.memoryUsage()
        const { max, p99 } = delays.read()
        const values: Readonly<Record<keyof typeof runtimeTable, number>> = {
          cpu: added,
          start: performance.timeOrigin / 1e3,
          memory: rss,
          heapUsed,
          heapTotal,
          external,
          delayP99: p99,
          delayMax: max
        }
        return Effect.forEach(
          Struct.keys(values),
          (name) => recorders[name].record({}, values[name]),
          { discard: true }
        )
      })
      return RuntimeMetrics.of({ refresh })
    })
  )
}

/** Interval between exports, and between the queries that refresh the gauges. */
const exportInterval = Duration.seconds(10)

const refreshAlways = Effect.flatMap(Effect.all([Gauges, RuntimeMetrics]), ([gauges, ownProcess]) =>
  Effect.andThen(ownProcess.refresh, gauges.refresh).pipe(
    Effect.catchCause((cause) => Effect.logWarning("Gauges could not be refreshed", cause)),
    Effect.andThen(Effect.sleep(exportInterval)),
    Effect.forever,
    Effect.forkScoped
  )
)

/**
 * Refreshes all gauges regularly if they are exported. A reader of `/metrics` refreshes them by its
 * request, but a collector sends none.
 */
export const refreshExported = ({ urls }: Pick<TelemetryConfiguration, "urls">) =>
  urls.metrics === undefined
    ? Layer.empty
    : Layer.provide(Layer.effectDiscard(refreshAlways), [Gauges.layer, RuntimeMetrics.layer])

/**
 * Metrics of this process: processor time, memory and the delay of the event loop, under the names
 * that Prometheus clients for Node use.
 */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { type MetricTable, makeRecorders } from "@verbatim/core/metrics"
import { Context, Effect, Layer } from "effect"

/** All metrics of a process. */
export const runtimeTable = {
  cpu: {
    name: "process_cpu_seconds_total",
    help: "Processor time that this process has used, without its child processes.",
    labels: {}
  },
  start: {
    name: "process_start_time_seconds",
    help: "When this process started, in seconds since 1970.",
    labels: {}
  },
  memory: {
    name: "process_resident_memory_bytes",
    help: "Memory of this process, without its child processes.",
    labels: {}
  },
  heapUsed: {
    name: "nodejs_heap_size_used_bytes",
    help: "Memory that JavaScript objects occupy.",
    labels: {}
  },
  heapTotal: {
    name: "nodejs_heap_size_total_bytes",
    help: "Memory that is reserved for JavaScript objects.",
    labels: {}
  },
  external: {
    name: "nodejs_external_memory_bytes",
    help: "Memory of buffers and other objects outside the heap.",
    labels: {}
  },
  delayP99: {
    name: "nodejs_eventloop_lag_p99_seconds",
    help: "Delay that 99 % of the event loop's timers did not exceed, over the last 10 s or more.",
    labels: {}
  },
  delayMax: {
    name: "nodejs_eventloop_lag_max_seconds",
    help: "Longest delay of the event loop's timers over the last 10 s or more.",
    labels: {}
  }
} as const satisfies MetricTable

const recorders = makeRecorders(runtimeTable)

/** How often the delay is measured. Node's measurements include this interval. */
const resolutionMillis = 20

/** All readers within this time see the same delays, because reading them begins a new period. */
const periodMillis = 10_000

/** Reads the clock of the process, because tests with another clock have no other processor. */
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
        return Effect.all(
          [
            recorders.cpu.record({}, added),
            recorders.start.record({}, performance.timeOrigin / 1e3),
            recorders.memory.record({}, rss),
            recorders.heapUsed.record({}, heapUsed),
            recorders.heapTotal.record({}, heapTotal),
            recorders.external.record({}, external),
            recorders.delayP99.record({}, p99),
            recorders.delayMax.record({}, max)
          ],
          { discard: true }
        )
      })
      return RuntimeMetrics.of({ refresh })
    })
  )
}

/** Metrics of a test: what was counted in a registry of its own. */
import { Effect, Equal, Metric } from "effect"

/** Runs a test with a registry that nobody else has. */
export const withRegistry = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => Effect.provideService(test, Metric.MetricRegistry, new Map()))

const numberOf = (snapshot: Metric.Metric.Snapshot): number => {
  switch (snapshot.type) {
    case "Counter":
      return Number(snapshot.state.count)
    case "Gauge":
      return Number(snapshot.state.value)
    case "Histogram":
      return snapshot.state.count
    default:
      throw new Error(`nothing of ours is a ${snapshot.type}`)
  }
}

/** Every series that was counted, with its labels and its value, or how many values it took. */
export const series = Effect.map(Metric.snapshot, (all) =>
  all.map((snapshot) => {
    const { time_unit: _, unit: __, ...labels } = snapshot.attributes ?? {}
    return { name: snapshot.id, labels, value: numberOf(snapshot) }
  })
)

/** The value of one series; nothing before it is there. */
export const counted = (name: string, labels: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    series,
    (all) => all.find((one) => one.name === name && Equal.equals(one.labels, labels))?.value
  )

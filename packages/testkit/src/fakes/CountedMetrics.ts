/** Records a test's metrics in a separate registry, and reads their values. */
import { Effect, Equal, Metric } from "effect"

/** A series with its name, its labels without the unit, and its value. */
export interface CountedSeries {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** The series' value. For a histogram, it is the number of observations. */
  readonly value: number
}

/** Runs an effect, and everything that it builds, with a separate registry. */
export const withRegistry = <A, E, R>(test: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(test, Metric.MetricRegistry, new Map()))

const toNumber = (snapshot: Metric.Metric.Snapshot): number => {
  switch (snapshot.type) {
    case "Counter":
      return Number(snapshot.state.count)
    case "Gauge":
      return Number(snapshot.state.value)
    case "Histogram":
    case "Summary":
      return snapshot.state.count
    case "Frequency":
      return snapshot.state.occurrences.size
  }
}

/** Reads all series recorded in the separate registry. */
export const countedSeries: Effect.Effect<ReadonlyArray<CountedSeries>> = Effect.map(
  Metric.snapshot,
  (all) =>
    all.map((snapshot) => {
      const { unit: _, ...labels } = snapshot.attributes ?? {}
      return { name: snapshot.id, labels, value: toNumber(snapshot) }
    })
)

/** Returns a series' value, or undefined if the series does not exist yet. */
export const counted = (
  name: string,
  labels: Readonly<Record<string, string>> = {}
): Effect.Effect<number | undefined> =>
  Effect.map(
    countedSeries,
    (all) => all.find((one) => one.name === name && Equal.equals(one.labels, labels))?.value
  )

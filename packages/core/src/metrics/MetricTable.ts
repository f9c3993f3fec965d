/**
 * Tables of metrics. Each package has one table, in which every label has a closed list of values.
 * The name of a workspace, job or host can therefore never become a label value, and the number of
 * series is known in advance.
 */

/** The possible values of each label of a metric. */
type LabelValues = Readonly<Record<string, ReadonlyArray<string>>>

/** A metric in a table. */
export interface MetricRow {
  /**
   * The metric's name, following Prometheus conventions: a counter ends in `_total`, after the
   * unit.
   */
  readonly name: `verbatim_${string}` | `process_${string}` | `nodejs_${string}`
  /** The description of the metric, in one sentence. */
  readonly help: string
  readonly labels: LabelValues
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: ReadonlyArray<number>
}

/** A package's metrics, keyed by their names in its code. */
export type MetricTable = Readonly<Record<string, MetricRow>>

/** The values of a metric's labels. */
export type LabelsOf<Row extends MetricRow> = {
  readonly [Label in keyof Row["labels"]]: Row["labels"][Label][number]
}

/**
 * Returns the type of a metric: a histogram if it has buckets, or else a counter if its name ends
 * in `_total`, or else a gauge.
 */
export const typeOf = ({
  buckets,
  name
}: Pick<MetricRow, "buckets" | "name">): "counter" | "gauge" | "histogram" => {
  if (buckets !== undefined) return "histogram"
  return name.endsWith("_total") ? "counter" : "gauge"
}

/** Returns the unit of a metric, seconds or bytes, if its name contains one. */
export const unitOf = ({ name }: Pick<MetricRow, "name">): string | undefined =>
  /_(seconds|bytes)(?:_total)?$/.exec(name)?.[1]

/** Returns the number of a metric's series: one for each combination of label values. */
export const seriesMax = ({ labels }: MetricRow): number =>
  Object.values(labels).reduce((product, values) => product * values.length, 1)

/** Returns all combinations of a metric's label values. */
export const combineLabels = ({
  labels
}: MetricRow): ReadonlyArray<Readonly<Record<string, string>>> =>
  Object.entries(labels).reduce<ReadonlyArray<Readonly<Record<string, string>>>>(
    (some, [label, values]) =>
      some.flatMap((each) => values.map((value) => ({ ...each, [label]: value }))),
    [{}]
  )

/** Histogram buckets, in seconds, for operations that a person or program waits for. */
export const shortSeconds: ReadonlyArray<number> = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30
]

/** Histogram buckets, in seconds, for work that can take hours. */
export const longSeconds: ReadonlyArray<number> = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400
]

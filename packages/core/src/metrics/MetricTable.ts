/**
 * What is measured, as data: each package has one table, and every label in it has a closed list of
 * values. So no name of a workspace, a job or a host can become a label, and the number of series
 * is known before the first one exists.
 */

/** The values of each label. */
type LabelValues = Readonly<Record<string, ReadonlyArray<string>>>

/** One metric. */
export interface MetricRow {
  /** As Prometheus shows it: `_total` ends a counter, and the unit comes before that. */
  readonly name: `verbatim_${string}`
  /** One sentence for operators. */
  readonly help: string
  readonly labels: LabelValues
  /** Of a histogram: the upper ends of its buckets. */
  readonly buckets?: ReadonlyArray<number>
}

/** The metrics of a package, by the names that its code has for them. */
export type MetricTable = Readonly<Record<string, MetricRow>>

/** A value for each label of a metric. */
export type LabelsOf<Row extends MetricRow> = {
  readonly [Label in keyof Row["labels"]]: Row["labels"][Label][number]
}

/** A row with buckets is a histogram, and a name that ends in `_total` a counter. */
export const typeOf = ({
  buckets,
  name
}: Pick<MetricRow, "buckets" | "name">): "counter" | "gauge" | "histogram" => {
  if (buckets !== undefined) return "histogram"
  return name.endsWith("_total") ? "counter" : "gauge"
}

/** Seconds or bytes, where the name says so. */
export const unitOf = ({ name }: Pick<MetricRow, "name">): string | undefined =>
  /_(seconds|bytes)(?:_total)?$/.exec(name)?.[1]

/** How many series a metric has when every combination of its labels has occurred. */
export const seriesMax = ({ labels }: MetricRow): number =>
  Object.values(labels).reduce((product, values) => product * values.length, 1)

/** Every combination of the labels of a metric. */
export const everyLabels = ({
  labels
}: MetricRow): ReadonlyArray<Readonly<Record<string, string>>> =>
  Object.entries(labels).reduce<ReadonlyArray<Readonly<Record<string, string>>>>(
    (some, [label, values]) =>
      some.flatMap((each) => values.map((value) => ({ ...each, [label]: value }))),
    [{}]
  )

/** Seconds of what a person or another program waits for. */
export const shortSeconds: ReadonlyArray<number> = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30
]

/** Seconds of work that may take hours. */
export const longSeconds: ReadonlyArray<number> = [
  0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400
]

/**
 * Creates recorders from a table of metrics. A recorder adds to a counter, sets a gauge, or
 * observes a value. Recorders are ordinary Effect metrics, in the caller's registry.
 */
import { type Context, Effect, Metric } from "effect"
import {
  combineLabels,
  type LabelsOf,
  type MetricRow,
  type MetricTable,
  seriesMax,
  typeOf,
  unitOf
} from "./MetricTable.ts"

/** The recorder for one row of a table of metrics. */
export interface Recorder<Labels> {
  /** Adds to a counter (1 by default), sets a gauge, or adds a value to a histogram. */
  readonly record: (labels: Labels, value?: number) => Effect.Effect<void>
  /** Records a value synchronously, for code inside a driver. */
  readonly recordUnsafe: (context: Context.Context<never>, labels: Labels, value?: number) => void
  /** Removes the value for these labels, because it is no longer known. */
  readonly forget: (labels: Labels) => Effect.Effect<void>
  /**
   * Starts every expected series of a counter or a histogram at zero, so that its first event shows
   * as an increase. A metric with many series shows only those that occurred.
   */
  readonly begin: Effect.Effect<void>
}

/** The recorders for all rows of a table of metrics. */
export type Recorders<Table extends MetricTable> = {
  readonly [Name in keyof Table]: Recorder<LabelsOf<Table[Name]>>
}

/**
 * Maximum number of series that a metric creates in advance. A metric with more series shows only
 * those that occurred.
 */
const begunMax = 120

type Labels = Readonly<Record<string, string>>

type Series = Metric.Metric<number, unknown>

/** Creates a metric's series with the given labels. */
const makeSeries = (row: MetricRow, labels: Labels): Series => {
  const { buckets = [], help, name } = row
  const unit = unitOf(row)
  // Both exporters know this attribute: one leaves it out, and the other sends it as the unit.
  const attributes = unit === undefined ? labels : { ...labels, unit }
  const options = { description: help, attributes }
  switch (typeOf(row)) {
    case "counter":
      return Metric.counter(name, { ...options, incremental: true })
    case "gauge":
      return Metric.gauge(name, options)
    case "histogram":
      return Metric.histogram(name, { ...options, boundaries: buckets })
  }
}

/** The label value that stands for all values outside the list. */
export const otherValue = "other"

/** A tree of series, with one level per label. */
interface Branch {
  readonly next: Map<string, Branch>
  series?: Series
}

const makeBranch = (): Branch => ({ next: new Map() })

/**
 * Returns the series for the given label values, and creates it on first use. Looking up one label
 * after another takes half as long as building a single key from all labels.
 */
const makeFind = (row: MetricRow) => {
  const names = Object.keys(row.labels)
  const root = makeBranch()

  const bound = (labels: Labels): Labels =>
    Object.fromEntries(
      names.map((name) => {
        const value = labels[name] ?? otherValue
        return [name, row.labels[name]?.includes(value) === true ? value : otherValue]
      })
    )

  const make = (labels: Labels): Series => {
    let branch = root
    for (const value of Object.values(labels)) {
      const next = branch.next.get(value) ?? makeBranch()
      branch.next.set(value, next)
      branch = next
    }
    branch.series ??= makeSeries(row, labels)
    return branch.series
  }

  return (labels: Labels): Series => {
    let branch: Branch | undefined = root
    for (const name of names) branch = branch?.next.get(labels[name] ?? otherValue)
    return branch?.series ?? make(bound(labels))
  }
}

const makeRecorder = (row: MetricRow): Recorder<Labels> => {
  const find = makeFind(row)
  const isBegun = typeOf(row) !== "gauge" && seriesMax(row) <= begunMax
  return {
    record: (labels, value = 1) =>
      Effect.withFiber((fiber) => {
        find(labels).updateUnsafe(value, fiber.context)
        return Effect.void
      }),
    recordUnsafe: (context, labels, value = 1) => {
      find(labels).updateUnsafe(value, context)
    },
    forget: (labels) => Metric.remove(find(labels)),
    // Reading a series for the first time creates it.
    begin: Effect.suspend(() =>
      isBegun
        ? Effect.forEach(combineLabels(row).map(find), Metric.value, { discard: true })
        : Effect.void
    )
  }
}

/** Creates a recorder for each row of a table of metrics. */
export const makeRecorders = <const Table extends MetricTable>(table: Table): Recorders<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([name, row]) => [name, makeRecorder(row)])
  ) as unknown as Recorders<Table>

/**
 * Makes a table of metrics countable: for each row what adds to it, sets it or takes a value in.
 * They are ordinary metrics of Effect, in the registry of whoever counts.
 */
import { type Context, Effect, Metric } from "effect"
import {
  everyLabels,
  type LabelsOf,
  type MetricRow,
  type MetricTable,
  seriesMax,
  typeOf,
  unitOf
} from "./MetricTable.ts"

/** What is done with the metric of one row. */
export interface Recorder<Labels> {
  /** Adds to a counter, one by default; sets a gauge; takes a value into a histogram. */
  readonly record: (labels: Labels, value?: number) => Effect.Effect<void>
  /** The same at once, for code that runs between two steps of a driver. */
  readonly recordUnsafe: (context: Context.Context<never>, labels: Labels, value?: number) => void
  /** Shows no value any more for these labels, because nobody knows it. */
  readonly forget: (labels: Labels) => Effect.Effect<void>
  /**
   * Lets every series that may come begin at zero, so that its first event is an increase. Gauges
   * have no zero, and what has many series shows those that occurred.
   */
  readonly begin: Effect.Effect<void>
}

/** A recorder for each row of a table. */
export type Recorders<Table extends MetricTable> = {
  readonly [Name in keyof Table]: Recorder<LabelsOf<Table[Name]>>
}

/** Rows with more series show only those that occurred. A page shows all of the others. */
const begunMax = 120

type Labels = Readonly<Record<string, string>>

type Series = Metric.Metric<number, unknown>

/** The series of a row with these labels. */
const makeSeries = (row: MetricRow, labels: Labels): Series => {
  const { buckets = [], help, name } = row
  const unit = unitOf(row)
  // The exporters know this attribute: one leaves it out, the other tells it as the unit.
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

/** What a label says of a value that is not in its list. */
export const otherValue = "other"

/** The series behind the values of some labels, one label after the other. */
interface Branch {
  readonly next: Map<string, Branch>
  series?: Series
}

const makeBranch = (): Branch => ({ next: new Map() })

/**
 * Finds the series of labels, each made once: there are no more than the table has. Going from
 * label to label takes half as long as making one key of them.
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
    // To read a series is to make it.
    begin: Effect.suspend(() =>
      isBegun
        ? Effect.forEach(everyLabels(row).map(find), Metric.value, { discard: true })
        : Effect.void
    )
  }
}

/** The recorders of a table. */
export const makeRecorders = <const Table extends MetricTable>(table: Table): Recorders<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([name, row]) => [name, makeRecorder(row)])
  ) as unknown as Recorders<Table>

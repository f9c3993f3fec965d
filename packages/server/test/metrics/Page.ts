/**
 * Reads a metrics page with a parser for its format, and compares it with the tables. The parser
 * merges labelled histograms, so their samples are parsed one by one.
 */
import { sqlTable } from "@verbatim/adapters/sql"
import { coreTable, type MetricRow, typeOf } from "@verbatim/core/metrics"
import { httpTable } from "@verbatim/http"
import parse from "parse-prometheus-text-format"
import { runtimeTable } from "#src/telemetry/RuntimeMetrics"

type Labels = Readonly<Record<string, string>>

/** A line on a metrics page. */
export interface Sample {
  readonly name: string
  readonly labels: Labels
  readonly value: number
}

export interface Page {
  readonly heads: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly help: string
  }>
  readonly samples: ReadonlyArray<Sample>
}

/** Parses a page. Throws an error if the line is malformed. */
export const readPage = (text: string): Page => {
  const families = parse(text.replaceAll(/^(# TYPE \S+) histogram$/gm, "$1 untyped"))
  const types = new Map(
    Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = "", type = ""]) => [name, type])
  )
  return {
    heads: families.flatMap(({ help, name }) => {
      const type = types.get(name)
      return type === undefined ? [] : [{ name, help, type }]
    }),
    samples: families.flatMap(({ metrics, name }) =>
      metrics.map(({ labels = {}, value }) => ({ name, labels, value: Number(value) }))
    )
  }
}

const rows: ReadonlyMap<string, MetricRow> = new Map(
  [
    ...Object.values(coreTable),
    ...Object.values(httpTable),
    ...Object.values(sqlTable),
    ...Object.values(runtimeTable)
  ].map((row) => [row.name, row])
)

const rowOf = (name: string): MetricRow | undefined =>
  rows.get(name) ?? rows.get(name.replace(/_(?:bucket|sum|count)$/, ""))

/** Lists the labels and values of a sample that the table does not list. */
const faultsOf = ({ labels, name, value }: Sample): ReadonlyArray<string> => {
  const row = rowOf(name)
  if (row === undefined) return [`${name} is not in the table`]
  if (!Number.isFinite(value)) return [`${name} is ${value}`]
  const isHistogram = typeOf(row) === "histogram"
  if (isHistogram === (name === row.name)) return [`${name} is not shown as a ${typeOf(row)}`]
  const { le, ...own } = labels
  const faults = Object.entries(own).flatMap(([label, value]) =>
    row.labels[label]?.includes(value) === true ? [] : [`${name} has ${label} ${value}`]
  )
  const names = Object.keys(own).sort().join()
  if (names !== Object.keys(row.labels).sort().join()) faults.push(`${name} has labels ${names}`)
  if ((le !== undefined) !== name.endsWith("_bucket")) faults.push(`${name} has le ${le}`)
  return faults
}

const withoutLe = ({ labels: { le: _, ...labels } }: Sample): string => JSON.stringify(labels)

/** Checks the cumulative buckets of each series of a histogram. */
const bucketFaults = (name: string, { samples }: Page): ReadonlyArray<string> => {
  const counts = samples.filter((sample) => sample.name === `${name}_count`)
  const buckets = Map.groupBy(
    samples.filter((sample) => sample.name === `${name}_bucket`),
    withoutLe
  )
  return counts.flatMap((count) => {
    const inside = (buckets.get(withoutLe(count)) ?? [])
      .toSorted((one, other) => Number(one.labels.le) - Number(other.labels.le))
      .toSorted(
        (one, other) => Number(one.labels.le === "+Inf") - Number(other.labels.le === "+Inf")
      )
      .map(({ value }) => value)
    const isGrowing = inside.every((each, index) => each >= (inside[index - 1] ?? 0))
    const isWhole = inside.length === (rows.get(name)?.buckets?.length ?? 0) + 1
    return isGrowing && isWhole && inside.at(-1) === count.value ? [] : [`${name}: ${inside}`]
  })
}

/** Lists all differences between the metrics page and the tables. */
export const findFaults = (page: Page): ReadonlyArray<string> => [
  ...page.heads.flatMap(({ help, name, type }) => {
    const row = rows.get(name)
    return row !== undefined && typeOf(row) === type && row.help === help
      ? []
      : [`${name} is a ${type}: ${help}`]
  }),
  ...page.samples.flatMap(faultsOf),
  ...page.heads.flatMap(({ name, type }) => (type === "histogram" ? bucketFaults(name, page) : []))
]

/**
 * Adds up the values of a metric's series that have these labels. For a histogram, adds up its
 * counts.
 */
export const sumOf = ({ samples }: Page, row: MetricRow, labels: Labels = {}) => {
  const { name } = row
  const shown = typeOf(row) === "histogram" ? `${name}_count` : name
  const found = samples.filter(
    (sample) =>
      sample.name === shown &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  )
  if (found.length === 0) throw new Error(`there is no ${shown} ${JSON.stringify(labels)}`)
  return found.reduce((sum, { value }) => sum + value, 0)
}

/** The tables of metrics in a page: a row for each metric of each package. */

interface Row {
  readonly name: string
  readonly type: string
  readonly unit: string
  readonly help: string
  readonly labels: Readonly<Record<string, ReadonlyArray<string>>>
}

type Table = Readonly<Record<string, Row>>

const head = ["| metric | type, unit | labels | what it is |", "| --- | --- | --- | --- |"]

/** More values than this are told by their number. */
const shownMax = 8

const valuesOf = (values: ReadonlyArray<string>): string => {
  const shown = values.slice(0, shownMax).map((value) => `\`${value}\``)
  const more = values.length - shown.length
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ")
}

const labelsOf = ({ labels }: Row): string =>
  Object.entries(labels)
    .map(([label, values]) => `\`${label}\`: ${valuesOf(values)}`)
    .join("; ")

const row = (metric: Row): string => {
  const { help, name, type, unit } = metric
  return `| \`${name}\` | ${type}, ${unit} | ${labelsOf(metric)} | ${help} |`
}

const marks = /(<!-- metrics: (\w+) -->\n)[\s\S]*?(\n<!-- end of metrics -->)/g

/** The page with the table of each package between its marks. */
export const withMetrics = (page: string, tables: Readonly<Record<string, Table>>): string => {
  const placed = Array.from(page.matchAll(marks), ([, , name]) => name ?? "")
  const wanted = Object.keys(tables)
  if (placed.join() !== wanted.join()) {
    throw new Error(`the page has tables of ${placed}, and there are ${wanted}`)
  }
  return page.replace(marks, (_, open: string, name: string, close: string) => {
    const rows = Object.values(tables[name] ?? {}).map(row)
    return `${open}\n${[...head, ...rows].join("\n")}\n${close}`
  })
}

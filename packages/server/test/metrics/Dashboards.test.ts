/** Tests that a server exports all names that the dashboard and the alerts use. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { parser } from "@prometheus-io/lezer-promql"
import { sqlTable } from "@verbatim/adapters/sql"
import { coreTable, type MetricRow } from "@verbatim/core/metrics"
import { httpTable } from "@verbatim/http"
import { parse } from "yaml"
import { runtimeTable } from "#src/telemetry/RuntimeMetrics"

/** A label condition in a selector, such as `status="500"`. */
interface Condition {
  readonly label: string
  readonly operator: string
  readonly value: string
}

/** A metric name in a query, with its label conditions. */
interface Selector {
  readonly metric: string
  readonly conditions: ReadonlyArray<Condition>
}

/** The parts of a Prometheus query to check. */
interface Query {
  readonly selectors: ReadonlyArray<Selector>
  /** The labels by which the query groups or matches series. */
  readonly grouping: ReadonlyArray<string>
}

interface Node {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly getChildren: (name: string) => ReadonlyArray<Node>
  readonly getChild: (name: string) => Node | null
}

/** Replaces the variables that Grafana fills in before it sends a query. */
const filled = (text: string): string =>
  text.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*")

/** Parses a query. Throws an error that explains any mistake in it. */
const readQuery = (written: string): Query => {
  const text = filled(written)
  const selectors: Array<Selector> = []
  const grouping: Array<string> = []
  const textOf = ({ from, to }: Pick<Node, "from" | "to">) => text.slice(from, to)
  const conditionOf = (matcher: Node): Condition => {
    const [label, operator, value] = ["LabelName", "MatchOp", "StringLiteral"].map((name) => {
      const part = matcher.getChild(name)
      return part === null ? "" : textOf(part)
    })
    return { label: label ?? "", operator: operator ?? "", value: JSON.parse(value ?? '""') }
  }
  parser.parse(text).iterate({
    enter: ({ node, type }) => {
      if (type.isError) throw new Error(`not a query at ${node.from}: ${text}`)
      if (type.name === "GroupingLabels") {
        grouping.push(...node.getChildren("LabelName").map(textOf))
      }
      if (type.name !== "VectorSelector") return
      const name = node.getChild("Identifier")
      if (name === null) throw new Error(`a selector without a metric: ${text}`)
      const matchers = node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? []
      selectors.push({ metric: textOf(name), conditions: matchers.map(conditionOf) })
    }
  })
  return { selectors, grouping }
}

const deploy = new URL("../../../../deploy/", import.meta.url)

const read = (path: string) => readFileSync(new URL(path, deploy), "utf8")

interface Asked {
  readonly where: string
  readonly query: string
}

interface Panel {
  readonly title: string
  readonly targets?: ReadonlyArray<{ readonly expr: string }>
}

const panels: ReadonlyArray<Panel> = JSON.parse(read("grafana/verbatim.json")).panels

interface Rule {
  readonly alert: string
  readonly expr: string
}

const rules: ReadonlyArray<Rule> = parse(read("prometheus/alerts.yaml")).groups.flatMap(
  (group: { readonly rules: ReadonlyArray<Rule> }) => group.rules
)

const queries: ReadonlyArray<Asked> = [
  ...panels.flatMap(({ targets = [], title }) =>
    targets.map(({ expr }) => ({ where: `panel "${title}"`, query: expr }))
  ),
  ...rules.map(({ alert, expr }) => ({ where: `alarm ${alert}`, query: expr }))
]

const rows: ReadonlyArray<MetricRow> = [
  ...Object.values(coreTable),
  ...Object.values(httpTable),
  ...Object.values(sqlTable),
  ...Object.values(runtimeTable)
]

type Labels = Readonly<Record<string, ReadonlyArray<string> | undefined>>

/** Prometheus adds these labels to every series. The operator chooses their values. */
const added = { instance: undefined, job: undefined }

/** Returns the series of a metric as Prometheus shows them, each with its labels. */
const shownBy = ({ buckets, labels, name }: MetricRow): ReadonlyArray<readonly [string, Labels]> =>
  buckets === undefined
    ? [[name, { ...added, ...labels }]]
    : [
        [`${name}_bucket`, { ...added, ...labels, le: undefined }],
        [`${name}_sum`, { ...added, ...labels }],
        [`${name}_count`, { ...added, ...labels }]
      ]

const shown: ReadonlyMap<string, Labels> = new Map([
  ...rows.flatMap(shownBy),
  // Prometheus itself adds this metric, which says whether it could read a process.
  ["up", added] as const
])

const suits = ({ operator, value }: Condition, each: string): boolean => {
  const isSame = operator.includes("~") ? new RegExp(`^(?:${value})$`).test(each) : each === value
  return operator.startsWith("!") ? !isSame : isSame
}

/** Whether some values meet a condition and others do not. Any other condition is a mistake. */
const isMeaningful = (condition: Condition, values: ReadonlyArray<string>): boolean => {
  const met = values.filter((each) => suits(condition, each)).length
  const isBroad = condition.operator === "=~"
  return met > 0 && (isBroad || met < values.length)
}

const faultOf = ({ conditions, metric }: Selector): string | undefined => {
  const labels = shown.get(metric)
  if (labels === undefined) return `there is no metric ${metric}`
  for (const condition of conditions) {
    const { label, value } = condition
    if (!(label in labels)) return `${metric} has no label ${label}`
    const values = labels[label]
    if (values !== undefined && !isMeaningful(condition, values)) {
      return `${metric} has no ${label} like ${value}`
    }
  }
  return undefined
}

const faultsOf = ({ query }: Asked): ReadonlyArray<string> => {
  const { grouping, selectors } = readQuery(query)
  const known = new Set(selectors.flatMap(({ metric }) => Object.keys(shown.get(metric) ?? {})))
  return [
    ...selectors.flatMap((selector) => faultOf(selector) ?? []),
    ...grouping.filter((label) => !known.has(label)).map((label) => `nothing has a label ${label}`)
  ]
}

describe("the dashboard and the alerts", () => {
  it("query only metrics, labels and values that a server exports", () => {
    assert.isAtLeast(queries.length, 40)
    const faults = queries.flatMap((used) =>
      faultsOf(used).map((fault) => `${used.where}: ${fault}`)
    )
    assert.deepStrictEqual(faults, [])
  })

  it("use every metric that a server exports", () => {
    const used = queries.flatMap(({ query }) => readQuery(query).selectors)
    const unused = rows.filter(
      (row) => !shownBy(row).some(([name]) => used.some(({ metric }) => metric === name))
    )
    assert.deepStrictEqual(
      unused.map(({ name }) => name),
      []
    )
  })
})

describe("the query check", () => {
  const mistakes = {
    verbatim_jobs_endet_total: "there is no metric verbatim_jobs_endet_total",
    'verbatim_jobs_ended_total{state="failed"}': "verbatim_jobs_ended_total has no label state",
    'verbatim_jobs_ended_total{webhook="lost"}':
      "verbatim_jobs_ended_total has no webhook like lost",
    "sum by (kind) (verbatim_jobs_ended_total)": "nothing has a label kind"
  }
  for (const [query, fault] of Object.entries(mistakes)) {
    it(`finds the mistake in ${query}`, () => {
      assert.deepStrictEqual(faultsOf({ where: "", query }), [fault])
    })
  }

  it("rejects an invalid query", () => {
    assert.throws(() => readQuery("sum by (kind (verbatim_backlog_tasks)"), /not a query/)
  })
})

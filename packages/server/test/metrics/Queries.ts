/** Reads Prometheus queries with Prometheus's own grammar to find the series that they use. */
import { parser } from "@prometheus-io/lezer-promql"

/** A label condition in a selector, such as `status="500"`. */
export interface Condition {
  readonly label: string
  readonly operator: string
  readonly value: string
}

/** A metric name in a query, with its label conditions. */
export interface Selector {
  readonly metric: string
  readonly conditions: ReadonlyArray<Condition>
}

/** The parts of a Prometheus query to check. */
export interface Query {
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
export const readQuery = (written: string): Query => {
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

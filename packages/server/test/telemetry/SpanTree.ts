/** Formats the spans of a trace as a tree of lines, in order of their start. */
import type { Span } from "./CollectorServer.ts"

const inOrder = (one: Span, other: Span): number =>
  Number(BigInt(one.startTimeUnixNano) - BigInt(other.startTimeUnixNano))

/** Builds the tree of the selected spans, and skips the spans between them. */
const keepOnly = (
  spans: ReadonlyArray<Span>,
  isKept: (span: Span) => boolean
): ReadonlyArray<Span> => {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const nearest = (id: string | undefined): string | undefined => {
    const found = byId.get(id ?? "")
    return found === undefined || isKept(found) ? id : nearest(found.parentSpanId)
  }
  return spans.filter(isKept).map(({ parentSpanId, ...span }) => {
    const parent = nearest(parentSpanId)
    return parent === undefined ? span : { ...span, parentSpanId: parent }
  })
}

/** One line for each span, indented by depth. Spans without a known parent are roots. */
export const toTree = (
  all: ReadonlyArray<Span>,
  isKept: (span: Span) => boolean,
  describe: (span: Span) => string
): ReadonlyArray<string> => {
  const spans = keepOnly(all, isKept)
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const branch = (span: Span, depth: number): ReadonlyArray<string> => [
    `${"  ".repeat(depth)}${describe(span)}`,
    ...spans
      .filter(({ parentSpanId }) => parentSpanId === span.spanId)
      .toSorted(inOrder)
      .flatMap((child) => branch(child, depth + 1))
  ]
  return spans
    .filter(({ parentSpanId }) => parentSpanId === undefined || !ids.has(parentSpanId))
    .toSorted(inOrder)
    .flatMap((root) => branch(root, 0))
}

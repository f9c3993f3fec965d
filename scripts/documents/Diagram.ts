/** The picture of a state machine, drawn from its table of edges into its module comment. */

/** A table of edges: for each state, the events it accepts and where they lead. */
export type Edges = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The lines of the diagram; the first row of the table is the initial state. */
const diagram = (edges: Edges): ReadonlyArray<string> => {
  const moves = Object.entries(edges).flatMap(([from, row]) =>
    Object.entries(row).map(([event, to]) => `  ${from} --> ${to}: ${event}`)
  )
  return ["stateDiagram-v2", `  [*] --> ${Object.keys(edges)[0] ?? ""}`, ...moves]
}

const fence = /^( \* ```mermaid\n)(?: \*[^\n]*\n)*?( \* ```\n)/m

const opening = /^\/\*\*[\s\S]*?\*\/\n/

/** The text with the diagram in its module comment; undefined when it has no fence for one. */
export const withDiagram = (text: string, edges: Edges): string | undefined => {
  const comment = opening.exec(text)?.[0]
  if (comment === undefined || !fence.test(comment)) return undefined
  const lines = diagram(edges).map((line) => ` * ${line}\n`)
  const drawn = comment.replace(fence, (_, start, end) => start + lines.join("") + end)
  return drawn + text.slice(comment.length)
}

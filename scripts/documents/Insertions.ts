/**
 * Inserts generated parts into documents and comments: state diagrams, drawn from the machines'
 * edges, and programs that the tests run.
 */

/** A table of edges: for each state, the accepted events and their target states. */
export type Edges = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Returns the lines of a state diagram. The table's first row is the initial state. */
const diagram = (edges: Edges): ReadonlyArray<string> => {
  const moves = Object.entries(edges).flatMap(([from, row]) =>
    Object.entries(row).map(([event, to]) => `  ${from} --> ${to}: ${event}`)
  )
  return ["stateDiagram-v2", `  [*] --> ${Object.keys(edges)[0] ?? ""}`, ...moves]
}

const fence = /^( \* ```mermaid\n)(?: \*[^\n]*\n)*?( \* ```\n)/m

const opening = /^\/\*\*[\s\S]*?\*\/\n/

/** Inserts the diagram into a module comment, which must contain a fence for the diagram. */
export const withDiagram = (text: string, edges: Edges): string => {
  const comment = opening.exec(text)?.[0] ?? ""
  if (!fence.test(comment)) throw new Error("the module comment has no ```mermaid fence")
  const lines = diagram(edges).map((line) => ` * ${line}\n`)
  const drawn = comment.replace(fence, (_, start, end) => start + lines.join("") + end)
  return drawn + text.slice(comment.length)
}

const shown = /<!-- example: (\S+) -->\n+```(\w+)\n([\s\S]*?)^```$/gm

/** Lists the paths of the programs in a document. */
export const examplesIn = (document: string): ReadonlyArray<string> =>
  Array.from(document.matchAll(shown), ([, path = ""]) => path)

/** Replaces every program with the text that `read` returns for its path. */
export const withExamples = (document: string, read: (path: string) => string): string =>
  document.replace(
    shown,
    (_, path: string, language: string) =>
      `<!-- example: ${path} -->\n\n\`\`\`${language}\n${read(path).trimEnd()}\n\`\`\``
  )

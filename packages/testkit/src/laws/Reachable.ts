/**
 * Which states a table of edges leads to.
 */

/** A table of edges, untyped: for each state, the events it accepts and where they lead. */
export type Table = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The states that can be reached from one, itself included. */
export const reachable = (edges: Table, from: string): ReadonlySet<string> => {
  const seen = new Set([from])
  // A `Set` visits what is added while it is walked, so this is a breadth-first search.
  for (const state of seen) {
    for (const to of Object.values(edges[state] ?? {})) seen.add(to)
  }
  return seen
}

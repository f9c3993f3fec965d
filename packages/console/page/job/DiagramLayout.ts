/**
 * Where the states of a machine are drawn: in the order in which a job comes to them, what goes
 * well on one line, and what ends badly below it.
 */
import type { Edges } from "./Machines.ts"

/** A state in its place. */
export interface PlacedState {
  readonly name: string
  /** How many steps from the beginning. */
  readonly rank: number
  /** 0 on the line, more beside it. */
  readonly track: number
}

/** Where an edge leads: to the next rank, over some, or back. */
type Course = "back" | "next" | "over"

/** All events that lead from one state to another, as one arrow. */
export interface PlacedEdge {
  readonly from: PlacedState
  readonly to: PlacedState
  readonly course: Course
}

const targetsOf = (edges: Edges, state: string): ReadonlyArray<string> => [
  ...new Set(Object.values(edges[state] ?? {}))
]

/** Edges that lead to a state on the way to it: they go back. */
const findBackward = (edges: Edges): ReadonlySet<string> => {
  const backward = new Set<string>()
  const over = new Set<string>()
  const visit = (state: string, way: ReadonlyArray<string>): void => {
    for (const to of targetsOf(edges, state)) {
      if (to === state || way.includes(to)) backward.add(`${state}>${to}`)
      else if (!over.has(to)) visit(to, [...way, to])
    }
    over.add(state)
  }
  const [first = ""] = Object.keys(edges)
  visit(first, [first])
  return backward
}

/** The longest way to each state: what is between two states is drawn between them. */
const rank = (edges: Edges, backward: ReadonlySet<string>): ReadonlyMap<string, number> => {
  const ranks = new Map<string, number>()
  const raise = (state: string, to: number): void => {
    if ((ranks.get(state) ?? -1) >= to) return
    ranks.set(state, to)
    for (const next of targetsOf(edges, state)) {
      if (!backward.has(`${state}>${next}`)) raise(next, to + 1)
    }
  }
  for (const state of Object.keys(edges).slice(0, 1)) raise(state, 0)
  return ranks
}

const courseOf = (from: PlacedState, to: PlacedState): Course => {
  if (to.rank <= from.rank) return "back"
  return to.rank === from.rank + 1 ? "next" : "over"
}

/** Gives each state its place, and each arrow its course. */
export const place = (
  edges: Edges
): { readonly states: ReadonlyArray<PlacedState>; readonly arrows: ReadonlyArray<PlacedEdge> } => {
  const ranks = rank(edges, findBackward(edges))
  const taken = new Map<number, number>()
  const last = Math.max(...ranks.values())
  const states = Object.keys(edges).map((name): PlacedState => {
    // What ends a job badly has its place below, whatever else there is.
    const own = name === "Failed" ? last : (ranks.get(name) ?? 0)
    const track = taken.get(own) ?? 0
    taken.set(own, track + 1)
    return { name, rank: own, track }
  })
  const byName = new Map(states.map((state) => [state.name, state]))
  const arrows = states.flatMap((from) =>
    targetsOf(edges, from.name).flatMap((name): ReadonlyArray<PlacedEdge> => {
      const to = byName.get(name)
      return to === undefined ? [] : [{ from, to, course: courseOf(from, to) }]
    })
  )
  return { states, arrows }
}

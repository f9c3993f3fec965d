/**
 * A state machine, described as data: a table of legal edges, and one pure move for each edge.
 *
 * A machine has no clock, no randomness and no I/O. Everything that a move needs is in the state or
 * in the event, so that a property can test every edge.
 */
import { Result, Schema } from "effect"

type Tagged = { readonly _tag: string }
type Case<A extends Tagged, Tag> = Extract<A, { readonly _tag: Tag }>

/** The machine has no edge for this event in this state. */
export class IllegalTransition extends Schema.TaggedError<IllegalTransition>()(
  "IllegalTransition",
  { machine: Schema.String, state: Schema.String, event: Schema.String }
) {
  override get message(): string {
    return `${this.machine}: ${this.event} is not legal in ${this.state}`
  }
}

/**
 * A table of legal edges: for each state, the events that it accepts and the state that each of
 * them leads to. The first row is the initial state, a terminal row is `{}`, and no state may be
 * left out.
 */
export type Edges<State extends Tagged, Event extends Tagged> = {
  readonly [S in State["_tag"]]: { readonly [E in Event["_tag"]]?: State["_tag"] }
}

/**
 * The moves for a table of edges. The code does not compile if a move is missing or superfluous, or
 * leads to another state than its edge.
 */
export type Moves<State extends Tagged, Event extends Tagged, Table extends Edges<State, Event>> = {
  readonly [S in State["_tag"]]: {
    readonly [E in keyof Table[S] & Event["_tag"]]: (
      state: Case<State, S>,
      event: Case<Event, E>
    ) => Case<State, Table[S][E]>
  } & { readonly [E in Exclude<Event["_tag"], keyof Table[S]>]?: never }
}

/** A state machine, with its name as refusals show it. */
export interface Machine<State extends Tagged, Event extends Tagged> {
  readonly name: string
  /** Returns the next state, or `IllegalTransition` if the state does not accept the event. */
  readonly transition: (state: State, event: Event) => Result.Result<State, IllegalTransition>
  /** Whether the state is terminal: no event leads out of it. */
  readonly isTerminal: (state: State) => boolean
}

/** Creates a state machine from its edges and moves. */
export const make = <
  State extends Tagged,
  Event extends Tagged,
  const Table extends Edges<State, Event>
>(definition: {
  readonly name: string
  readonly edges: Table
  readonly moves: Moves<State, Event, Table>
}): Machine<State, Event> => {
  const { edges, name } = definition
  // The compiler cannot relate a state's type to that of its moves through an index. `Moves` has
  // checked every entry, so only this type needs to be widened.
  const moves = definition.moves as unknown as Record<
    string,
    Record<string, (state: State, event: Event) => State> | undefined
  >
  return {
    name,
    transition: (state, event) => {
      const move = moves[state._tag]?.[event._tag]
      return move === undefined
        ? Result.fail(
            new IllegalTransition({ machine: name, state: state._tag, event: event._tag })
          )
        : Result.succeed(move(state, event))
    },
    isTerminal: (state) => Object.keys(edges[state._tag as State["_tag"]]).length === 0
  }
}

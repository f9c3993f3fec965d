/** Laws for every machine. To test a machine, pass its module to `suite`. */

import type { IllegalTransition } from "@verbatim/core/machine"
import { Effect, Equal, Layer, Result, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import type { Case } from "../contracts/Contract.ts"
import * as Expect from "../contracts/Expect.ts"
import { always } from "../contracts/Expect.ts"
import { suiteOf } from "../contracts/Vitest.ts"

interface Identified {
  readonly _tag: string
  readonly id: string
}

export type Cases<A extends { readonly _tag: string }> = Schema.Codec<A, unknown> & {
  readonly cases: { readonly [Tag in A["_tag"]]: Schema.Codec<Extract<A, { _tag: Tag }>, unknown> }
}

/** A machine module's exports. */
export interface MachineModule<State extends Identified, Event extends { readonly _tag: string }> {
  readonly State: Cases<State>
  readonly Event: Cases<Event>
  readonly edges: Table
  readonly transition: (state: State, event: Event) => Result.Result<State, IllegalTransition>
  readonly isTerminal: (state: State) => boolean
}

/** Number of values to try per pair of state and event. A machine has up to 36 such pairs. */
const runsEach = 20

const keys = <Tag extends string>(cases: { readonly [Key in Tag]: unknown }): ReadonlyArray<Tag> =>
  Object.keys(cases) as Array<Tag>

const survives = <A>(schema: Schema.Codec<A, unknown>): ((value: A) => boolean) => {
  const codec = Schema.fromJsonString(Schema.toCodecJson(schema))
  const encode = Schema.encodeSync(codec)
  const decode = Schema.decodeSync(codec)
  return (value) => Equal.equals(decode(encode(value)), value)
}

/** Lists every pair of state and event, with the target state if the event is legal. */
const pairsOf = <State extends Identified, Event extends { readonly _tag: string }>({
  edges,
  Event,
  State
}: MachineModule<State, Event>) =>
  keys(State.cases).flatMap((state) =>
    keys(Event.cases).map((event) => ({
      name: `${event} in ${state}`,
      target: edges[state]?.[event],
      of: Arbitrary.all([
        Arbitrary.schema(State.cases[state]),
        Arbitrary.schema(Event.cases[event])
      ])
    }))
  )

/** The laws as cases for any test runner. */
export const laws = <State extends Identified, Event extends { readonly _tag: string }>(
  module: MachineModule<State, Event>
): ReadonlyArray<Case<never>> => {
  const { edges, Event, isTerminal, State, transition } = module
  const pairs = pairsOf(module)
  const staysOnEdges = ({ name, of, target }: (typeof pairs)[number]) =>
    always(name, {
      of,
      runs: runsEach,
      holds: ([state, event]) =>
        Result.match(transition(state, event), {
          onSuccess: (next) => next._tag === target,
          onFailure: (refusal) =>
            target === undefined && refusal.state === state._tag && refusal.event === event._tag
        })
    })

  return [
    {
      title: "moves only along its edges",
      effect: Effect.forEach(pairs, staysOnEdges, { discard: true })
    },
    {
      title: "keeps its identity",
      effect: always("the id is the same after every move", {
        of: Arbitrary.all([Arbitrary.schema(State), Arbitrary.schema(Event)]),
        runs: runsEach * pairs.length,
        holds: ([state, event]) =>
          Result.match(transition(state, event), {
            onSuccess: ({ id }) => id === state.id,
            onFailure: () => true
          })
      })
    },
    {
      title: "survives a round trip through JSON",
      effect: Effect.andThen(
        always("states do", { of: Arbitrary.schema(State), holds: survives(State) }),
        always("events do", { of: Arbitrary.schema(Event), holds: survives(Event) })
      )
    },
    {
      title: "reaches every state from the first row",
      effect: Expect.that(
        "every state is reached",
        [...reachable(edges, Object.keys(edges)[0] ?? "")].sort()
      ).is(keys(State.cases).toSorted())
    },
    {
      title: "is terminal exactly in states without edges",
      effect: always("the row of a terminal state is empty", {
        of: Arbitrary.schema(State),
        holds: (state) => isTerminal(state) === (Object.keys(edges[state._tag] ?? {}).length === 0)
      })
    }
  ]
}

/** Registers the laws for one machine with Vitest. */
export const suite = <State extends Identified, Event extends { readonly _tag: string }>(
  name: string,
  module: MachineModule<State, Event>
): void => suiteOf({ port: name, cases: laws(module) })("laws of a machine", Layer.empty)

/** An untyped table of edges: the events that each state accepts, with their targets. */
export type Table = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Returns all states that can be reached from a state, and the state itself. */
export const reachable = (edges: Table, from: string): ReadonlySet<string> => {
  const seen = new Set([from])
  // A `Set` also visits elements that are added during the iteration: a breadth-first search.
  for (const state of seen) {
    for (const to of Object.values(edges[state] ?? {})) seen.add(to)
  }
  return seen
}

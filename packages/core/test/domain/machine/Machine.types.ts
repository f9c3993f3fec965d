/** Machines with moves that contradict their edges. The check fails if one of them compiles. */

import { Schema } from "effect"
import * as Machine from "#src/domain/machine/Machine"

const State = Schema.TaggedUnion({ Waiting: { id: Schema.String }, Done: { id: Schema.String } })
type State = typeof State.Type

const Event = Schema.TaggedUnion({ Finished: {}, Postponed: {} })
type Event = typeof Event.Type

const { Done, Waiting } = State.cases

const edges = {
  Waiting: { Finished: "Done", Postponed: "Waiting" },
  Done: {}
} as const satisfies Machine.Edges<State, Event>

const moves = {
  Waiting: {
    Finished: ({ id }: typeof Waiting.Type) => Done.make({ id }),
    Postponed: ({ id }: typeof Waiting.Type) => Waiting.make({ id })
  },
  Done: {}
}

/** The edge table for all machines below. */
export const sound = Machine.make<State, Event, typeof edges>({ name: "Sound", edges, moves })

export const withoutMove = Machine.make<State, Event, typeof edges>({
  name: "WithoutMove",
  edges,
  moves: {
    // @ts-expect-error the edge Postponed has no move
    Waiting: { Finished: moves.Waiting.Finished },
    Done: {}
  }
})

export const withExtraMove = Machine.make<State, Event, typeof edges>({
  name: "WithExtraMove",
  edges,
  moves: {
    Waiting: moves.Waiting,
    // @ts-expect-error no edge leaves Done
    Done: { Postponed: ({ id }: typeof Done.Type) => Waiting.make({ id }) }
  }
})

export const besideItsEdge = Machine.make<State, Event, typeof edges>({
  name: "BesideItsEdge",
  edges,
  moves: {
    Waiting: {
      // @ts-expect-error the edge leads to Done
      Finished: ({ id }) => Waiting.make({ id }),
      Postponed: moves.Waiting.Postponed
    },
    Done: {}
  }
})

export const withoutRow = {
  Waiting: { Finished: "Done" }
  // @ts-expect-error no state may be left out, not even a terminal one
} as const satisfies Machine.Edges<State, Event>

export const toNowhere = {
  // @ts-expect-error there is no state of that name
  Waiting: { Finished: "Finished" },
  Done: {}
} as const satisfies Machine.Edges<State, Event>

export const byUnknownEvent = {
  // @ts-expect-error there is no event of that name
  Waiting: { Cancelled: "Done" },
  Done: {}
} as const satisfies Machine.Edges<State, Event>

// @ts-expect-error the event belongs to another machine
sound.transition(Waiting.make({ id: "1" }), { _tag: "Cancelled" })

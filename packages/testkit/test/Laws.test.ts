import { assert, describe, it } from "@effect/vitest"
import * as Delivery from "@verbatim/core/delivery"
import * as Job from "@verbatim/core/job"
import { JobEvent } from "@verbatim/core/job"
import * as Machine from "@verbatim/core/machine"
import { Cause, DateTime, Effect, Exit, Layer, Option, Result, Schema, SchemaGetter } from "effect"
import { type Case, run } from "#src/contracts/Contract"
import * as JobLaws from "#src/laws/JobLaws"
import * as MachineLaws from "#src/laws/MachineLaws"
import { reachable } from "#src/laws/MachineLaws"
import { caseOf } from "./faults/Fault.ts"

type DeliveryModule = MachineLaws.MachineModule<Delivery.State, Delivery.Event>

interface Broken {
  readonly fault: string
  readonly foundBy: string
  readonly laws: ReadonlyArray<Case<never>>
}

const machine = (fault: string, foundBy: string, changed: Partial<DeliveryModule>): Broken => ({
  fault,
  foundBy,
  laws: MachineLaws.laws<Delivery.State, Delivery.Event>({ ...Delivery, ...changed })
})

const idle = {
  id: Delivery.DeliveryId.make("00000000-0000-7000-8000-000000000000"),
  receiver: { url: "https://hooks.example.com", modifier: null },
  attempts: 0,
  dueAt: DateTime.makeUnsafe(0),
  frozen: null
}

const { Delivered } = Delivery.State.cases

/** Timestamps in whole seconds, which a store that loses precision returns. */
const Seconds = Schema.Int.pipe(
  Schema.decodeTo(Schema.DateTimeUtc, {
    decode: SchemaGetter.transform((seconds) => DateTime.makeUnsafe(seconds * 1_000)),
    encode: SchemaGetter.transform((at) => Math.floor(DateTime.toEpochMillis(at) / 1_000))
  })
)

const CoarseState = Schema.TaggedUnion({
  Waiting: { id: Schema.String, dueAt: Seconds },
  Done: { id: Schema.String }
})
const CoarseEvent = Schema.TaggedUnion({ Finished: {} })

const coarseEdges = {
  Waiting: { Finished: "Done" },
  Done: {}
} as const satisfies Machine.Edges<typeof CoarseState.Type, typeof CoarseEvent.Type>

const coarse = {
  State: CoarseState,
  Event: CoarseEvent,
  edges: coarseEdges,
  ...Machine.make<typeof CoarseState.Type, typeof CoarseEvent.Type, typeof coarseEdges>({
    name: "Coarse",
    edges: coarseEdges,
    moves: { Waiting: { Finished: ({ id }) => CoarseState.cases.Done.make({ id }) }, Done: {} }
  })
}

const machines: ReadonlyArray<Broken> = [
  machine("ignores an event that is not legal", "moves only along its edges", {
    transition: (state, event) =>
      Result.orElse(Delivery.transition(state, event), () => Result.succeed(state))
  }),
  machine("moves to a different state than its edge", "moves only along its edges", {
    transition: (state, event) =>
      state._tag === "Sending" && event._tag === "GivenUp"
        ? Result.succeed(
            Delivered.make({ ...state, _tag: "Delivered", status: 200, endedAt: event.at })
          )
        : Delivery.transition(state, event)
  }),
  machine("changes its identity on a retry", "keeps its identity", {
    transition: (state, event) =>
      Result.map(Delivery.transition(state, event), (next) =>
        event._tag === "RetryScheduled" ? { ...next, id: idle.id } : next
      )
  }),
  machine("has a state that no edge leads to", "reaches every state from the first row", {
    edges: { ...Delivery.edges, Sending: { ReceiverAccepted: "Delivered" } }
  }),
  machine("treats a state with edges as terminal", "is terminal exactly in states without edges", {
    isTerminal: (state) => state._tag !== "Waiting"
  }),
  {
    fault: "keeps timestamps as whole seconds",
    foundBy: "survives a round trip through JSON",
    laws: MachineLaws.laws<typeof CoarseState.Type, typeof CoarseEvent.Type>(coarse)
  }
]

const job = (fault: string, foundBy: string, changed: Partial<JobLaws.JobModule>): Broken => ({
  fault,
  foundBy,
  laws: JobLaws.laws({ ...Job, JobEvent, ...changed })
})

const jobs: ReadonlyArray<Broken> = [
  job("never makes a summary pending", "has pending work exactly while it can still move", {
    pendingWork: (state) =>
      Option.filter(Job.pendingWork(state), ({ kind }) => kind !== "Summarize")
  }),
  job("cannot give up a delivery", "can end from every state, and ends when every attempt fails", {
    applyCommit: (state, events) =>
      Job.applyCommit(
        state,
        events.filter(({ _tag, event }) => !(_tag === "Delivery" && event._tag === "GivenUp"))
      )
  }),
  job("retries without a new webhook", "repeats only the failed step and the steps after it", {
    applyCommit: (state, events) =>
      Result.map(Job.applyCommit(state, events), (next) => ({
        ...next,
        delivery: events.some(({ _tag }) => _tag === "Retry") ? state.delivery : next.delivery
      }))
  }),
  job("changes its request after the creation", "can be replayed from its history", {
    applyCommit: (state, events) =>
      Result.map(Job.applyCommit(state, events), (next) => ({
        ...next,
        request: { ...next.request, isDiarized: !next.request.isDiarized }
      }))
  })
]

describe("The laws", () => {
  for (const { fault, foundBy, laws } of [...machines, ...jobs]) {
    it.live(`reject a module that ${fault}`, () =>
      Effect.map(Effect.exit(run(caseOf(laws, foundBy), { layer: Layer.empty })), (exit) => {
        assert.isTrue(Exit.isFailure(exit), `not found by: ${foundBy}`)
        if (Exit.isFailure(exit)) assert.isFalse(Cause.hasDies(exit.cause), `${exit.cause}`)
      })
    )
  }
})

describe("reachable", () => {
  it("finds states that are any number of steps away, even in cycles", () => {
    const edges = { A: { x: "B" }, B: { y: "A", z: "C" }, C: {}, D: { w: "A" } }
    assert.deepStrictEqual([...reachable(edges, "A")].sort(), ["A", "B", "C"])
    assert.deepStrictEqual([...reachable(edges, "C")], ["C"])
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Delivery from "@verbatim/core/delivery"
import * as Job from "@verbatim/core/job"
import { JobEvent } from "@verbatim/core/job"
import * as Machine from "@verbatim/core/machine"
import * as Notice from "@verbatim/core/notice"
import { Cause, DateTime, Effect, Exit, Layer, Option, Result, Schema, SchemaGetter } from "effect"
import { type Case, run } from "#src/contracts/Contract"
import * as JobLaws from "#src/laws/JobLaws"
import * as MachineLaws from "#src/laws/MachineLaws"
import { reachable } from "#src/laws/MachineLaws"
import { noticeId } from "#src/samples/Ids"
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

const { Delivered, Waiting } = Delivery.State.cases

/** Instants as whole seconds, as a store might keep them. */
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
  machine("ignores an event that is not legal", "moves along its edges and nowhere else", {
    transition: (state, event) =>
      Result.orElse(Delivery.transition(state, event), () => Result.succeed(state))
  }),
  machine("refuses a legal event", "moves along its edges and nowhere else", {
    transition: (state, event) =>
      Delivery.transition(event._tag === "GivenUp" ? Waiting.make(idle) : state, event)
  }),
  machine("ends where its edge does not lead", "moves along its edges and nowhere else", {
    transition: (state, event) =>
      state._tag === "Sending" && event._tag === "GivenUp"
        ? Result.succeed(
            Delivered.make({ ...state, _tag: "Delivered", status: 200, endedAt: event.at })
          )
        : Delivery.transition(state, event)
  }),
  machine("takes another identity by a retry", "keeps its identity", {
    transition: (state, event) =>
      Result.map(Delivery.transition(state, event), (next) =>
        event._tag === "RetryScheduled" ? { ...next, id: idle.id } : next
      )
  }),
  machine("has a state that no edge leads to", "reaches every state from the first row", {
    edges: { ...Delivery.edges, Sending: { ReceiverAccepted: "Delivered" } }
  }),
  machine("calls a state terminal that can move", "is terminal exactly where no edge leaves", {
    isTerminal: (state) => state._tag !== "Waiting"
  }),
  {
    fault: "keeps instants as whole seconds",
    foundBy: "survives a round trip through JSON",
    laws: MachineLaws.laws<typeof CoarseState.Type, typeof CoarseEvent.Type>(coarse)
  }
]

type NoticeModule = MachineLaws.MachineModule<Notice.State, Notice.Event>

const notice = (fault: string, foundBy: string, changed: Partial<NoticeModule>): Broken => ({
  fault,
  foundBy,
  laws: MachineLaws.laws<Notice.State, Notice.Event>({ ...Notice, ...changed })
})

const { Told } = Notice.State.cases

const noticeMachines: ReadonlyArray<Broken> = [
  notice(
    "takes a notice for told that nobody was called for",
    "moves along its edges and nowhere else",
    {
      transition: (state, event) =>
        state._tag === "Waiting" && event._tag === "ListenerReturned"
          ? Result.succeed(Told.make({ id: state.id, attempt: 1, endedAt: event.at }))
          : Notice.transition(state, event)
    }
  ),
  notice("tells again what was told", "moves along its edges and nowhere else", {
    transition: (state, event) =>
      state._tag === "Told" && event._tag === "ListenerReturned"
        ? Result.succeed(state)
        : Notice.transition(state, event)
  }),
  notice("gives the next call of a notice another id", "keeps its identity", {
    transition: (state, event) =>
      Result.map(Notice.transition(state, event), (next) =>
        event._tag === "AttemptPostponed" ? { ...next, id: noticeId(1) } : next
      )
  }),
  notice("never gives a notice up", "reaches every state from the first row", {
    edges: { ...Notice.edges, Calling: { ListenerReturned: "Told", RetryScheduled: "Waiting" } }
  }),
  notice("takes a failed notice for one that goes on", "is terminal exactly where no edge leaves", {
    isTerminal: (state) => state._tag === "Told"
  })
]

const job = (fault: string, foundBy: string, changed: Partial<JobLaws.JobModule>): Broken => ({
  fault,
  foundBy,
  laws: JobLaws.laws({ ...Job, JobEvent, ...changed })
})

const webhookOf = ({ acceptedAt, workspaceId }: Job.Job) => ({
  kind: "Deliver" as const,
  dueAt: acceptedAt,
  workspaceId,
  lane: null
})

const jobs: ReadonlyArray<Broken> = [
  job("owes no summary", "owes work exactly while it can still move", {
    owedWork: (state) => Option.filter(Job.owedWork(state), ({ kind }) => kind !== "Summarize")
  }),
  job("owes work for ever", "owes work exactly while it can still move", {
    owedWork: (state) => Option.orElse(Job.owedWork(state), () => Option.some(webhookOf(state)))
  }),
  job("cannot give up a delivery", "can end from every state, and does when every attempt fails", {
    applyCommit: (state, events) =>
      Job.applyCommit(
        state,
        events.filter(({ _tag, event }) => !(_tag === "Delivery" && event._tag === "GivenUp"))
      )
  }),
  job("counts events as revisions, not commits", "follows from its history", {
    applyCommit: (state, events) =>
      Result.map(Job.applyCommit(state, events), (next) => ({ ...next, revision: state.revision }))
  }),
  job("changes its request on the way", "follows from its history", {
    applyCommit: (state, events) =>
      Result.map(Job.applyCommit(state, events), (next) => ({
        ...next,
        request: { ...next.request, isDiarized: !next.request.isDiarized }
      }))
  })
]

/** The same commit, unless this says that it is illegal. */
const refusing = (
  isRefused: (job: Job.Job, event: JobEvent) => boolean
): Partial<JobLaws.JobModule> => ({
  applyCommit: (state, events) =>
    events.some((event) => isRefused(state, event))
      ? Result.fail(new Machine.IllegalTransition({ machine: "Job", state: "any", event: "any" }))
      : Job.applyCommit(state, events)
})

let wishes = 0

const waitingFor = ({ id, startedAt }: Extract<Notice.State, { _tag: "Calling" }>) =>
  Notice.State.cases.Waiting.make({ id, attempts: 0, dueAt: startedAt })

const neitherWaits = "lets neither its results nor the notice of its transcript wait for the other"

/** Jobs that the host is to be told of. */
const noticedJobs: ReadonlyArray<Broken> = [
  job("owes no notice", "owes work exactly while it can still move", {
    owedWork: (state) => Option.filter(Job.owedWork(state), ({ kind }) => kind !== "Notify")
  }),
  job("is over before its notice is", "owes work exactly while it can still move", {
    isTerminal: (state) =>
      Job.isTerminal(state) || Option.exists(Job.owedWork(state), ({ kind }) => kind === "Notify")
  }),
  job(
    "holds up a webhook while its host is away",
    "owes work exactly while it can still move",
    refusing(
      ({ notice }, { _tag }) =>
        _tag === "Redelivery" && notice !== undefined && !Notice.isTerminal(notice)
    )
  ),
  job("sends a webhook while its listener is called", "owes work exactly while it can still move", {
    applyCommit: (state, events) =>
      state.notice?._tag === "Calling" && events.some(({ _tag }) => _tag === "Redelivery")
        ? Job.applyCommit({ ...state, notice: waitingFor(state.notice) }, events)
        : Job.applyCommit(state, events)
  }),
  job("lets a webhook wait for its listener", neitherWaits, {
    owedWork: (state) =>
      Job.owedWork(
        state.transcriptNotice?._tag === "Waiting"
          ? {
              ...state,
              transcriptNotice: { ...state.transcriptNotice, dueAt: DateTime.makeUnsafe(0) }
            }
          : state
      )
  }),
  job("lets a listener wait for its webhook", neitherWaits, {
    owedWork: (state) => {
      const { transcriptNotice: _, ...rest } = state
      return Option.orElse(Job.owedWork(rest), () => Job.owedWork(state))
    }
  }),
  job("tells of a transcript that it has not", "owes work exactly while it can still move", {
    owedWork: (state) =>
      Option.orElse(Job.owedWork(state), () =>
        state.transcriptNotice?._tag === "Waiting" && state.transcription._tag === "Failed"
          ? Option.some({ ...webhookOf(state), kind: "Announce" as const })
          : Option.none()
      )
  }),
  job(
    "cannot be told of again",
    "owes work exactly while it can still move",
    refusing((_, { _tag }) => _tag === "Renotify")
  ),
  job(
    "cannot give up a notice",
    "can end from every state, and does when every attempt fails",
    refusing((_, { _tag, event }) => _tag === "Notice" && event._tag === "GivenUp")
  ),
  job("makes up the id of a notice", "follows from its history", {
    applyCommit: (state, events) =>
      Result.map(Job.applyCommit(state, events), (next) =>
        next.notice === undefined || next.notice.id === state.notice?.id
          ? next
          : { ...next, notice: { ...next.notice, id: noticeId(++wishes) } }
      )
  })
]

describe("The laws", () => {
  for (const { fault, foundBy, laws } of [
    ...machines,
    ...noticeMachines,
    ...jobs,
    ...noticedJobs
  ]) {
    it.live(`reject a module that ${fault}`, () =>
      Effect.map(Effect.exit(run(caseOf(laws, foundBy), { layer: Layer.empty })), (exit) => {
        assert.isTrue(Exit.isFailure(exit), `not found by: ${foundBy}`)
        if (Exit.isFailure(exit)) assert.isFalse(Cause.hasDies(exit.cause), `${exit.cause}`)
      })
    )
  }
})

describe("Reachable", () => {
  it("follows edges in any number of steps, even in circles", () => {
    const edges = { A: { x: "B" }, B: { y: "A", z: "C" }, C: {}, D: { w: "A" } }
    assert.deepStrictEqual([...reachable(edges, "A")].sort(), ["A", "B", "C"])
    assert.deepStrictEqual([...reachable(edges, "C")], ["C"])
  })
})

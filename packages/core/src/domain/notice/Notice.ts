/**
 * The notice of a job's end: a call to the host's listener. The listener is called at most three
 * times, never concurrently. Every call has the same id, so that a host can recognise a retry.
 *
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> Waiting
 *   Waiting --> Calling: AttemptStarted
 *   Calling --> Completed: ListenerReturned
 *   Calling --> Waiting: RetryScheduled
 *   Calling --> Waiting: AttemptPostponed
 *   Calling --> Failed: GivenUp
 * ```
 */
import { Context, Schema, Struct } from "effect"
import * as Attempt from "../attempt/Attempt.ts"
import { Failure } from "../attempt/Failure.ts"
import * as Machine from "../machine/Machine.ts"

const instant = Schema.DateTimeUtcFromMillis

/** The UUIDv7 that all calls for a notice share. */
export const NoticeId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("NoticeId"))
export type NoticeId = typeof NoticeId.Type

const identity = { id: NoticeId }

/** The states of a notice. */
export const State = Schema.TaggedUnion({
  Waiting: { ...identity, ...Attempt.waitingFields },
  Calling: { ...identity, ...Attempt.runningFields },
  /** A call to the listener returned, so no further call follows. */
  Completed: { ...identity, attempt: Attempt.AttemptNumber, endedAt: instant },
  /** No call to the listener returned, although one of them may have done its work. */
  Failed: { ...identity, attempt: Attempt.AttemptNumber, failure: Failure, endedAt: instant }
})
export type State = typeof State.Type

/** The events that change the state of a notice. */
export const Event = Schema.TaggedUnion({
  ListenerReturned: { at: instant },
  ...Struct.omit(Attempt.events, ["AttemptReleased", "AttemptLost"])
})
export type Event = typeof Event.Type

/** All legal edges; any other event is refused. */
export const edges = {
  Waiting: { AttemptStarted: "Calling" },
  Calling: {
    ListenerReturned: "Completed",
    RetryScheduled: "Waiting",
    AttemptPostponed: "Waiting",
    GivenUp: "Failed"
  },
  Completed: {},
  Failed: {}
} as const satisfies Machine.Edges<State, Event>

const { Calling, Failed, Completed, Waiting } = State.cases

export const { isTerminal, transition } = Machine.make<State, Event, typeof edges>({
  name: "Notice",
  edges,
  moves: {
    Waiting: {
      AttemptStarted: ({ id, ...attempt }, { at }) =>
        Calling.make({ id, ...Attempt.begin(attempt, at) })
    },
    Calling: {
      ListenerReturned: ({ attempt, id }, { at }) => Completed.make({ id, attempt, endedAt: at }),
      ...Struct.pick(
        Attempt.movesBackTo(({ id }: typeof Calling.Type, waiting) =>
          Waiting.make({ id, ...waiting })
        ),
        ["RetryScheduled", "AttemptPostponed"]
      ),
      GivenUp: ({ attempt, id }, { at, failure }) =>
        Failed.make({ id, attempt, failure, endedAt: at })
    },
    Completed: {},
    Failed: {}
  }
})

/**
 * Whether the jobs that this process accepts get a notice. Only a process with a `JobListener`
 * calls the listener, so notices wait until such a process runs.
 */
export const NoticesEnabled: Context.Reference<boolean> = Context.Reference(
  "@verbatim/core/domain/notice/NoticesEnabled",
  { defaultValue: () => false }
)

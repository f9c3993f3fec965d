/**
 * The summary of a transcript, which waits for the end of the transcription.
 *
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> Waiting
 *   Waiting --> Running: AttemptStarted
 *   Waiting --> Skipped: SummarySkipped
 *   Running --> Completed: SummaryProduced
 *   Running --> Waiting: RetryScheduled
 *   Running --> Waiting: AttemptReleased
 *   Running --> Waiting: AttemptPostponed
 *   Running --> Waiting: AttemptLost
 *   Running --> Failed: GivenUp
 * ```
 */
import { Schema } from "effect"
import * as Attempt from "../attempt/Attempt.ts"
import { JobId } from "../attempt/Attempt.ts"
import { Failure } from "../attempt/Failure.ts"
import * as Machine from "../machine/Machine.ts"
import { SummaryType } from "./SummaryType.ts"

const instant = Schema.DateTimeUtcFromMillis
const requested = { id: JobId, type: SummaryType }

/** The reasons for skipping a summary. */
export const SkipReason = Schema.Literals([
  "transcript too short",
  "transcript is empty",
  "transcription failed"
])
export type SkipReason = typeof SkipReason.Type

/** The states of a summary. `type` is the requested type until the summary is completed. */
export const State = Schema.TaggedUnion({
  Waiting: { ...requested, ...Attempt.waitingFields },
  Running: { ...requested, ...Attempt.runningFields },
  /** `type` is the type of the finished summary, which can be shorter than the requested one. */
  Completed: { ...requested, text: Schema.String, endedAt: instant },
  Skipped: { ...requested, reason: SkipReason, endedAt: instant },
  Failed: { ...requested, failure: Failure, endedAt: instant }
})
export type State = typeof State.Type

/** The events that change the state of a summary. */
export const Event = Schema.TaggedUnion({
  ...Attempt.events,
  SummaryProduced: { at: instant, type: SummaryType, text: Schema.String },
  SummarySkipped: { at: instant, reason: SkipReason }
})
export type Event = typeof Event.Type

/** All legal edges; any other event is refused. */
export const edges = {
  Waiting: { AttemptStarted: "Running", SummarySkipped: "Skipped" },
  Running: {
    SummaryProduced: "Completed",
    ...Attempt.edgesBackTo("Waiting"),
    GivenUp: "Failed"
  },
  Completed: {},
  Skipped: {},
  Failed: {}
} as const satisfies Machine.Edges<State, Event>

const { Completed, Failed, Running, Skipped, Waiting } = State.cases

export const { isTerminal, transition } = Machine.make<State, Event, typeof edges>({
  name: "Summary",
  edges,
  moves: {
    Waiting: {
      AttemptStarted: ({ id, type, ...attempt }, { at }) =>
        Running.make({ id, type, ...Attempt.begin(attempt, at) }),
      SummarySkipped: ({ id, type }, { at, reason }) =>
        Skipped.make({ id, type, reason, endedAt: at })
    },
    Running: {
      SummaryProduced: ({ id }, { at, text, type }) =>
        Completed.make({ id, type, text, endedAt: at }),
      ...Attempt.movesBackTo(({ id, type }: typeof Running.Type, waiting) =>
        Waiting.make({ id, type, ...waiting })
      ),
      GivenUp: ({ id, type }, { at, failure }) => Failed.make({ id, type, failure, endedAt: at })
    },
    Completed: {},
    Skipped: {},
    Failed: {}
  }
})

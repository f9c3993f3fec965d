/**
 * Whose turn it is in a job: first the transcript, then the summary, then the webhook, which waits
 * for both, and last the notice to the host, for which nobody waits. Whoever needs to know what a
 * job owes, or whether somebody works on it, asks here.
 */
import type { DateTime } from "effect"
import { isSuspect, type Setbacks } from "../attempt/Attempt.ts"
import type { Task, Work } from "../attempt/Work.ts"
import * as Delivery from "../delivery/Delivery.ts"
import * as Notice from "../notice/Notice.ts"
import * as Summary from "../summary/Summary.ts"
import * as Transcription from "../transcription/Transcription.ts"
import { downloadLane, webhookLane } from "./Lane.ts"

/** The machines of a job. */
export interface Machines {
  readonly transcription: Transcription.State
  readonly summary: Summary.State | null
  readonly delivery: Delivery.State | null
  readonly notice?: Notice.State
}

/** Work, without whose it is: that is the job's. */
type OwedWork = Omit<Work, "keyId" | "workspaceId">

/** An attempt under way. */
export interface AttemptUnderway {
  readonly task: Task
  /** The first is 1. */
  readonly attempt: number
  readonly setbacks?: Setbacks
  readonly startedAt: DateTime.Utc
}

/** What is to be done for a job, or what is being done. */
export type Current =
  /** Nothing, until somebody asks for something again. */
  | { readonly _tag: "Idle" }
  | { readonly _tag: "Due"; readonly task: Task; readonly work: OwedWork }
  /** The work stays owed meanwhile: the lease keeps others from it. */
  | {
      readonly _tag: "Underway"
      readonly task: Task
      readonly work: OwedWork
      readonly attempt: AttemptUnderway
    }

type Tried = Parameters<typeof isSuspect>[0]

/** The work of a task. A suspect task runs alone, and in no lane. */
const workOf = (
  task: Task,
  state: Tried & Pick<OwedWork, "dueAt">,
  lane: string | null
): OwedWork => {
  const { dueAt } = state
  return isSuspect(state) ? { kind: "Isolate", dueAt, lane: null } : { kind: task, dueAt, lane }
}

const due = (
  task: Task,
  state: Tried & Pick<OwedWork, "dueAt">,
  lane: string | null = null
): Current => ({
  _tag: "Due",
  task,
  work: workOf(task, state, lane)
})

/** What is under way was due when it began. */
const underway = (
  task: Task,
  state: Omit<AttemptUnderway, "task">,
  lane: string | null = null
): Current => ({
  _tag: "Underway",
  task,
  work: workOf(task, { ...state, dueAt: state.startedAt }, lane),
  attempt: { ...state, task }
})

const ofTranscription = Transcription.State.matchOrElse(
  {
    AwaitingMedia: (state): Current => due("Fetch", state, downloadLane(state.url)),
    Fetching: (state): Current => underway("Fetch", state, downloadLane(state.url)),
    Queued: (state): Current => due("Transcribe", state),
    Running: (state): Current => underway("Transcribe", state)
  },
  () => undefined
)

const ofSummary = Summary.State.matchOrElse(
  {
    Waiting: (state): Current => due("Summarize", state),
    Running: (state): Current => underway("Summarize", state)
  },
  () => undefined
)

const ofDelivery = Delivery.State.matchOrElse(
  {
    Waiting: (state): Current => due("Deliver", state, webhookLane(state.receiver.url)),
    Sending: (state): Current => underway("Deliver", state, webhookLane(state.receiver.url))
  },
  () => undefined
)

const ofNotice = Notice.State.matchOrElse(
  {
    Waiting: (state): Current => due("Notify", state),
    Calling: (state): Current => underway("Notify", state)
  },
  () => undefined
)

/** The one thing that a job waits for now. */
export const current = ({ delivery, notice, summary, transcription }: Machines): Current =>
  ofTranscription(transcription) ??
  (summary === null ? undefined : ofSummary(summary)) ??
  (delivery === null ? undefined : ofDelivery(delivery)) ??
  (notice === undefined ? undefined : ofNotice(notice)) ?? { _tag: "Idle" }

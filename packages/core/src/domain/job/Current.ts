/**
 * Whose turn it is in a job: first the transcript, then the summary, then the webhook, which waits
 * for both, and last the notice of the end, for which nobody waits. Says what a job owes, and
 * whether an attempt is under way.
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
type PendingCounts = Omit<Work, "keyId" | "workspaceId">

/** An attempt under way. */
export interface AttemptUnderway {
  readonly task: Task
  /** The first is 1. */
  readonly attempt: number
  readonly setbacks?: Setbacks
  readonly startedAt: DateTime.Utc
}

/** Something to be done for a job, or being done. */
export type Turn =
  | { readonly _tag: "Due"; readonly task: Task; readonly work: () => PendingCounts }
  /** The work stays owed meanwhile: the lease keeps others from it. */
  | {
      readonly _tag: "Underway"
      readonly task: Task
      readonly work: () => PendingCounts
      readonly attempt: AttemptUnderway
    }

/** What is to be done for a job, or what is being done. */
export type Current =
  /** Nothing, until somebody asks for something again. */
  { readonly _tag: "Idle" } | Turn

type Tried = Parameters<typeof isSuspect>[0]

/** Most tasks have no lane. */
const noLane = (): string | null => null

/**
 * The work of a task. A suspect task runs alone, and in no lane. It is made on demand: `current`
 * runs a dozen times for each attempt, and a lane takes the parsing of a URL.
 */
const workOf =
  (task: Task, state: Tried & Pick<PendingCounts, "dueAt">, lane: () => string | null) =>
  (): PendingCounts => {
    const { dueAt } = state
    return isSuspect(state)
      ? { kind: "Isolate", dueAt, lane: null }
      : { kind: task, dueAt, lane: lane() }
  }

const due = (task: Task, state: Tried & Pick<PendingCounts, "dueAt">, lane = noLane): Turn => ({
  _tag: "Due",
  task,
  work: workOf(task, state, lane)
})

/** What is under way was due when it began. */
const underway = (task: Task, state: Omit<AttemptUnderway, "task">, lane = noLane): Turn => ({
  _tag: "Underway",
  task,
  work: workOf(task, { ...state, dueAt: state.startedAt }, lane),
  attempt: { ...state, task }
})

const ofTranscription = Transcription.State.matchOrElse(
  {
    AwaitingMedia: (state): Turn => due("Fetch", state, () => downloadLane(state.url)),
    Fetching: (state): Turn => underway("Fetch", state, () => downloadLane(state.url)),
    Queued: (state): Turn => due("Transcribe", state),
    Running: (state): Turn => underway("Transcribe", state)
  },
  () => undefined
)

const ofSummary = Summary.State.matchOrElse(
  {
    Waiting: (state): Turn => due("Summarize", state),
    Running: (state): Turn => underway("Summarize", state)
  },
  () => undefined
)

const ofDelivery = Delivery.State.matchOrElse(
  {
    Waiting: (state): Turn => due("Deliver", state, () => webhookLane(state.receiver.url)),
    Sending: (state): Turn => underway("Deliver", state, () => webhookLane(state.receiver.url))
  },
  () => undefined
)

const ofNotice = Notice.State.matchOrElse(
  {
    Waiting: (waiting): Turn => due("Notify", waiting),
    Calling: (calling): Turn => underway("Notify", calling)
  },
  () => undefined
)

/** What a caller waits for: transcript, summary and webhook, one after the other. */
export const turnOfResults = ({ delivery, summary, transcription }: Machines): Turn | undefined =>
  ofTranscription(transcription) ??
  (summary === null ? undefined : ofSummary(summary)) ??
  (delivery === null ? undefined : ofDelivery(delivery))

/** The one thing that a job waits for now. */
export const current = (job: Machines): Current =>
  turnOfResults(job) ??
  (job.notice === undefined ? undefined : ofNotice(job.notice)) ?? { _tag: "Idle" }

/**
 * Finds the current step of a job: first the transcript, then the summary, then the webhook, which
 * waits for both, and last the notice. The step contains the pending work, and whether an attempt
 * is running.
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

/** Pending work without an owner, because the job's owner is also the owner of the work. */
type PendingTask = Omit<Work, "keyId" | "workspaceId">

/** A running attempt. */
export interface AttemptUnderway {
  readonly task: Task
  /** The number of the attempt; the first is 1. */
  readonly attempt: number
  readonly setbacks?: Setbacks
  readonly startedAt: DateTime.Utc
}

/** A step of a job that is due or running. */
export type Step =
  | { readonly _tag: "Due"; readonly task: Task; readonly work: () => PendingTask }
  /** The work stays pending; the lease keeps other workers away from it. */
  | {
      readonly _tag: "Underway"
      readonly task: Task
      readonly work: () => PendingTask
      readonly attempt: AttemptUnderway
    }

/** The current step of a job. */
export type CurrentStep =
  /** There is nothing to do until a retry or redelivery is requested. */
  { readonly _tag: "Idle" } | Step

type Tried = Parameters<typeof isSuspect>[0]

/** Most tasks have no lane. */
const noLane = (): string | null => null

/**
 * Returns the work of a task. A suspect task runs alone, and has no lane. The work is computed on
 * demand, because `currentStep` runs a dozen times for each attempt, and a lane requires parsing a
 * URL.
 */
const workOf =
  (task: Task, state: Tried & Pick<PendingTask, "dueAt">, lane: () => string | null) =>
  (): PendingTask => {
    const { dueAt } = state
    return isSuspect(state)
      ? { kind: "Isolate", dueAt, lane: null }
      : { kind: task, dueAt, lane: lane() }
  }

const due = (task: Task, state: Tried & Pick<PendingTask, "dueAt">, lane = noLane): Step => ({
  _tag: "Due",
  task,
  work: workOf(task, state, lane)
})

/** A running task was due when its attempt began. */
const underway = (task: Task, state: Omit<AttemptUnderway, "task">, lane = noLane): Step => ({
  _tag: "Underway",
  task,
  work: workOf(task, { ...state, dueAt: state.startedAt }, lane),
  attempt: { ...state, task }
})

const ofTranscription = Transcription.State.matchOrElse(
  {
    AwaitingMedia: (state): Step => due("Fetch", state, () => downloadLane(state.url)),
    Fetching: (state): Step => underway("Fetch", state, () => downloadLane(state.url)),
    Queued: (state): Step => due("Transcribe", state),
    Running: (state): Step => underway("Transcribe", state)
  },
  () => undefined
)

const ofSummary = Summary.State.matchOrElse(
  {
    Waiting: (state): Step => due("Summarize", state),
    Running: (state): Step => underway("Summarize", state)
  },
  () => undefined
)

const ofDelivery = Delivery.State.matchOrElse(
  {
    Waiting: (state): Step => due("Deliver", state, () => webhookLane(state.receiver.url)),
    Sending: (state): Step => underway("Deliver", state, () => webhookLane(state.receiver.url))
  },
  () => undefined
)

const ofNotice = Notice.State.matchOrElse(
  {
    Waiting: (waiting): Step => due("Notify", waiting),
    Calling: (calling): Step => underway("Notify", calling)
  },
  () => undefined
)

/**
 * Returns the step that produces the results a caller waits for: transcript, summary and webhook,
 * one after the other.
 */
export const resultStep = ({ delivery, summary, transcription }: Machines): Step | undefined =>
  ofTranscription(transcription) ??
  (summary === null ? undefined : ofSummary(summary)) ??
  (delivery === null ? undefined : ofDelivery(delivery))

/** Returns the one current step of a job. */
export const currentStep = (job: Machines): CurrentStep =>
  resultStep(job) ??
  (job.notice === undefined ? undefined : ofNotice(job.notice)) ?? { _tag: "Idle" }

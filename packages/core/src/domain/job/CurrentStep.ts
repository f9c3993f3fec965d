/**
 * Finds the current step of a job: first the transcript, then the summary, then the webhook, and
 * finally the notice. The step contains the pending work, and the running attempt, if there is one.
 */
import type { DateTime } from "effect"
import { isSuspect, type Setbacks } from "../attempt/Attempt.ts"
import type { Task, Work } from "../attempt/Work.ts"
import type * as Delivery from "../delivery/Delivery.ts"
import type * as Notice from "../notice/Notice.ts"
import type * as Summary from "../summary/Summary.ts"
import type * as Transcription from "../transcription/Transcription.ts"
import { downloadLane, webhookLane } from "./Lane.ts"

/** The states of all machines of a job. */
export interface Machines {
  readonly transcription: Transcription.State
  readonly summary: Summary.State | null
  readonly delivery: Delivery.State | null
  readonly notice?: Notice.State
}

/** The pending work of a step. Its owner is left out, because it is the job's owner. */
type PendingTask = Omit<Work, "keyId" | "workspaceId">

/** A running attempt. */
export interface AttemptUnderway {
  readonly task: Task
  /** The number of the attempt; the first is 1. */
  readonly attempt: number
  readonly setbacks?: Setbacks
  readonly startedAt: DateTime.Utc
}

/** A step of a job that is waiting for an attempt, or is being attempted. */
export type Step =
  | { readonly _tag: "Due"; readonly task: Task; readonly work: () => PendingTask }
  /** The work of a running attempt stays pending; the lease keeps other workers away from it. */
  | {
      readonly _tag: "Underway"
      readonly task: Task
      readonly work: () => PendingTask
      readonly attempt: AttemptUnderway
    }

/** The current step of a job. */
export type CurrentStep =
  /** The job has nothing to do until a retry or a redelivery is requested. */
  { readonly _tag: "Idle" } | Step

/** The task to run in each state that has a due or running attempt. */
const tasks: Readonly<Record<keyof Machines, Readonly<Record<string, Task>>>> = {
  transcription: {
    AwaitingMedia: "Fetch",
    Fetching: "Fetch",
    Queued: "Transcribe",
    Running: "Transcribe"
  },
  summary: { Waiting: "Summarize", Running: "Summarize" },
  delivery: { Waiting: "Deliver", Sending: "Deliver" },
  notice: { Waiting: "Notify", Calling: "Notify" }
}

type MachineState = NonNullable<Machines[keyof Machines]>

/** Returns the lane of a download or a webhook; null for other tasks. */
const laneOf = (state: MachineState): string | null => {
  if ("url" in state) return downloadLane(state.url)
  return "receiver" in state ? webhookLane(state.receiver.url) : null
}

/** Returns the current step of one machine, if it has a due or running attempt. */
const stepOf = (machines: Machines, name: keyof Machines): Step | undefined => {
  const state = machines[name]
  if (state === undefined || state === null) return undefined
  const task = tasks[name][state._tag]
  // A running task counts as due since the start of its attempt.
  const dueAt = "startedAt" in state ? state.startedAt : "dueAt" in state ? state.dueAt : undefined
  if (task === undefined || dueAt === undefined) return undefined
  // The work is computed on demand, because `currentStep` runs a dozen times per attempt, and
  // finding the lane means parsing a URL. A suspect task runs alone, and has no lane.
  const work = (): PendingTask =>
    "setbacks" in state && isSuspect(state)
      ? { kind: "Isolate", dueAt, lane: null }
      : { kind: task, dueAt, lane: laneOf(state) }
  return "startedAt" in state
    ? { _tag: "Underway", task, work, attempt: { ...state, task } }
    : { _tag: "Due", task, work }
}

/**
 * Returns the current step towards the results that a caller waits for: the transcript, then the
 * summary, then the webhook.
 */
export const resultStep = (machines: Machines): Step | undefined =>
  stepOf(machines, "transcription") ?? stepOf(machines, "summary") ?? stepOf(machines, "delivery")

/** Returns the current step of a job, including the notice. */
export const currentStep = (job: Machines): CurrentStep =>
  resultStep(job) ?? stepOf(job, "notice") ?? { _tag: "Idle" }

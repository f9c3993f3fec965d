/**
 * What a worker knows of something that its tasks need: whether it answers, or how often it failed.
 * While it is out of reach, one task at a time is tried, after a pause that doubles.
 *
 * The states are in the memory of a process, and count its own failures alone: what another process
 * cannot reach, this one may.
 */
import { Duration } from "effect"
import type { Failure } from "../domain/attempt/Failure.ts"
import type { Dependency, Task } from "../domain/attempt/Work.ts"

/** What each task needs, besides a queue that gives it out. */
export const needs: Readonly<Record<Task, ReadonlyArray<Dependency>>> = {
  Fetch: ["MediaStore"],
  Transcribe: ["MediaStore", "SpeechEngine"],
  Summarize: ["Database", "Summarizer"],
  Deliver: ["Database"],
  // A listener reads what it wants by itself.
  Notify: []
}

const engines: Readonly<Partial<Record<Task, Dependency>>> = {
  Transcribe: "SpeechEngine",
  Summarize: "Summarizer"
}

/**
 * What was out of reach when a task failed; none when everything answered. A file that is missing
 * concerns its job alone: the store has others.
 */
export const culprit = (task: Task, { _tag }: Failure): Dependency | undefined => {
  if (_tag === "EngineUnavailable") return engines[task]
  if (_tag !== "StorageFailed") return undefined
  return needs[task].find((each) => each === "Database" || each === "MediaStore")
}

/** What a failed task has used: a file may be bad before any engine sees it. */
export const dependenciesTried = (
  task: Task,
  failure: Failure | undefined
): ReadonlyArray<Dependency> => {
  if (failure?._tag === "EngineFailed" || failure?._tag === "EngineRefused") return needs[task]
  const hasAsked = failure?._tag === "ReceiverRefused" || failure?._tag === "ReceiverUnreachable"
  return hasAsked ? needs[task] : []
}

/** Closed when nothing failed. Instants are monotonic nanoseconds. */
export interface Circuit {
  /** In a row. */
  readonly failures: number
  /** Nothing is tried before then. */
  readonly pausedUntil: bigint
}

/** It answers, as far as anybody knows. */
export const closedCircuit: Circuit = { failures: 0, pausedUntil: 0n }

const delay = Duration.toNanosUnsafe(Duration.seconds(1))
const delayMax = Duration.toNanosUnsafe(Duration.seconds(60))

/** Doublings after which the pause has its greatest length. */
const doublingsMax = 6

/** How many tasks that need it may begin: any number, one trial, or none yet. */
export type Passage = "Free" | "Trial" | "Shut"

/** What may pass now. */
export const passage = ({ pausedUntil, failures }: Circuit, now: bigint): Passage => {
  if (failures === 0) return "Free"
  return now < pausedUntil ? "Shut" : "Trial"
}

/** A trial has begun. If it lasts, another one may follow: what takes long seems to work. */
export const startTrial = (circuit: Circuit, now: bigint): Circuit => ({
  ...circuit,
  pausedUntil: now + delayMax
})

/** A trial has ended without a result: another one may follow at once. */
export const dropTrial = (circuit: Circuit, now: bigint): Circuit => ({
  ...circuit,
  pausedUntil: now
})

/** It was out of reach. Tasks that began before that was known tell nothing new. */
export const recordFailure = (
  circuit: Circuit,
  { isTrial, now }: { readonly isTrial: boolean; readonly now: bigint }
): Circuit => {
  if (circuit.failures > 0 && !isTrial) return circuit
  const doubled = delay * 2n ** BigInt(Math.min(circuit.failures, doublingsMax))
  return {
    failures: circuit.failures + 1,
    pausedUntil: now + (doubled < delayMax ? doubled : delayMax)
  }
}

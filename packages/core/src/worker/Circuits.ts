/**
 * Creates the circuits of a process, which use the results of earlier tasks to decide which tasks
 * can begin.
 */
import { Clock, Duration, Effect, Record } from "effect"
import { causeOf, type Failure, toLine } from "../domain/attempt/Failure.ts"
import { type Dependency, dependencyNames, Task } from "../domain/attempt/Work.ts"
import type { Outage } from "../ports/WorkerRegistry.ts"
import { makeOutageLog, type OutageLog } from "../services/OutageLog.ts"
import { type Ending, failureOf } from "./AttemptEnd.ts"
/** A task that has begun. `isTrial` is true if other tasks are waiting for its result. */
export interface Trial {
  readonly task: Task
  readonly isTrial: boolean
}

const severity: ReadonlyArray<CircuitState> = ["Shut", "Trial", "Free"]

export type Circuits = Effect.Success<typeof makeCircuits>

export const makeCircuits = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const circuits = new Map<Dependency, Circuit>()
  const causes = new Map<Dependency, string>()
  const logs: Readonly<Record<Dependency, OutageLog>> = yield* Effect.all(
    Record.map(dependencyNames, makeLog)
  )

  const of = (dependency: Dependency) => circuits.get(dependency) ?? closedCircuit

  /** Returns whether any number of attempts at a task can begin now, only one, or none. */
  const state = (task: Task): CircuitState => {
    const now = clock.monotonicTimeNanosUnsafe()
    const passages = needs[task].map((each) => passageOf(of(each), now))
    return severity.find((each) => passages.includes(each)) ?? "Free"
  }

  const change = (task: Task, by: (circuit: Circuit) => Circuit) => {
    for (const each of needs[task]) {
      if (of(each).failures > 0) circuits.set(each, by(of(each)))
    }
  }

  /** Records that a task begins. */
  const begin = (task: Task): Trial => {
    const isTrial = state(task) === "Trial"
    const now = clock.monotonicTimeNanosUnsafe()
    if (isTrial) change(task, (circuit) => startTrial(circuit, now))
    return { task, isTrial }
  }

  const logFailure = (culprit: Dependency, failure: Failure | undefined) => {
    const cause = failure === undefined ? undefined : causeOf(failure)
    if (cause === undefined) causes.delete(culprit)
    else causes.set(culprit, cause)
    const detail = failure !== undefined && "detail" in failure ? failure.detail : ""
    return logs[culprit].failed(toLine(detail))
  }

  /**
   * Records that a task has ended, successfully or with a failure that a dependency may have
   * caused.
   */
  const end = Effect.fnUntraced(function* ({ isTrial, task }: Trial, ending: Ending) {
    const now = clock.monotonicTimeNanosUnsafe()
    const failure = failureOf(ending)
    const culprit = failure === undefined ? undefined : culpritOf(task, failure)
    if (culprit !== undefined) {
      circuits.set(culprit, recordFailure(of(culprit), { isTrial, now }))
      return yield* logFailure(culprit, failure)
    }
    const used = usedBy(task, ending)
    if (isTrial && used.length === 0) change(task, (circuit) => dropTrial(circuit, now))
    for (const each of used) {
      if (circuits.delete(each)) yield* logs[each].worked
    }
  })

  return { state, begin, end, outages: () => toOutages(circuits, causes) }
})

const toOutages = (
  circuits: ReadonlyMap<Dependency, Circuit>,
  causes: ReadonlyMap<Dependency, string>
): ReadonlyArray<Outage> =>
  [...circuits].map(([dependency, { failures }]) => {
    const cause = causes.get(dependency)
    return { dependency, failures, ...(cause === undefined ? {} : { cause }) }
  })

const makeLog = (name: string) =>
  makeOutageLog({
    failing: `The ${name} cannot be used`,
    working: `The ${name} can be used`
  })

/** Returns the dependencies that a task must have used, given how it ended. */
const usedBy = (task: Task, ending: Ending): ReadonlyArray<Dependency> => {
  if (ending._tag === "Succeeded") return needs[task]
  return ending._tag === "Failed" ? dependenciesTried(task, ending.failure) : []
}

/** The dependencies of each task, except the work queue. */
export const needs: Readonly<Record<Task, ReadonlyArray<Dependency>>> = {
  Fetch: ["MediaStore"],
  Transcribe: ["MediaStore", "SpeechEngine"],
  Summarize: ["Database", "Summarizer"],
  Deliver: ["Database"],
  // A notice has no dependencies, because the listener is the host's own code and reads its data
  // itself.
  Notify: []
}

/** Returns the tasks that need a dependency, and so wait during its outage. */
export const tasksThatNeed = (dependency: Dependency): ReadonlyArray<Task> =>
  Task.literals.filter((task) => needs[task].includes(dependency))

const engines: Readonly<Partial<Record<Task, Dependency>>> = {
  Transcribe: "SpeechEngine",
  Summarize: "Summarizer"
}

/**
 * Returns the dependency that was unreachable when a task failed; undefined if all of them
 * responded. A missing file affects only its own job, because the store has other files.
 */
export const culpritOf = (task: Task, { _tag }: Failure): Dependency | undefined => {
  if (_tag === "EngineUnavailable") return engines[task]
  if (_tag !== "StorageFailed") return undefined
  return needs[task].find((each) => each === "Database" || each === "MediaStore")
}

/**
 * Returns the dependencies that a failed task must have used. If a file is bad, the attempt can
 * fail before it uses an engine.
 */
const dependenciesTried = (task: Task, failure: Failure | undefined): ReadonlyArray<Dependency> => {
  if (failure?._tag === "EngineFailed" || failure?._tag === "EngineRefused") return needs[task]
  const hasSentRequest =
    failure?._tag === "ReceiverRefused" || failure?._tag === "ReceiverUnreachable"
  return hasSentRequest ? needs[task] : []
}

/**
 * The state of the circuit for a dependency. The circuit is closed if nothing has failed.
 * Timestamps are monotonic nanoseconds.
 */
interface Circuit {
  /** Number of consecutive failures of the dependency. */
  readonly failures: number
  /** No trial begins before this time. */
  readonly pausedUntil: bigint
}

/** The circuit of a dependency without known failures. */
const closedCircuit: Circuit = { failures: 0, pausedUntil: 0n }

const delay = Duration.toNanosUnsafe(Duration.seconds(1))
const delayMax = Duration.toNanosUnsafe(Duration.seconds(60))

/** Number of doublings before the pause reaches its maximum. */
const doublingsMax = 6

/** The number of tasks that a circuit lets begin: any number, one trial, or none yet. */
export type CircuitState = "Free" | "Trial" | "Shut"

/** Returns how many tasks a circuit lets begin now. */
const passageOf = ({ pausedUntil, failures }: Circuit, now: bigint): CircuitState => {
  if (failures === 0) return "Free"
  return now < pausedUntil ? "Shut" : "Trial"
}

/**
 * Records that a trial has begun. If it takes long, another trial may follow, because a long trial
 * suggests that the dependency works.
 */
const startTrial = (circuit: Circuit, now: bigint): Circuit => ({
  ...circuit,
  pausedUntil: now + delayMax
})

/** Records that a trial has ended without a result. Another trial may follow immediately. */
const dropTrial = (circuit: Circuit, now: bigint): Circuit => ({
  ...circuit,
  pausedUntil: now
})

/**
 * Records that the dependency was unreachable. A failed task that began before the outage was known
 * changes nothing.
 */
const recordFailure = (
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

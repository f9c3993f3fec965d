/** The circuits of a process: which tasks may begin, judged by what their predecessors met. */
import { Clock, Context, Duration, Effect, Layer, Record } from "effect"
import { causeOf, type Failure, toLine } from "../domain/attempt/Failure.ts"
import { type Dependency, dependencyNames, type Task } from "../domain/attempt/Work.ts"
import type { Outage } from "../ports/WorkerRegistry.ts"
import { makeOutageLog, type OutageLog } from "../services/OutageLog.ts"
import { type Ending, failureOf } from "./AttemptEnd.ts"
/** A task that has begun, and whether others wait for what comes of it. */
export interface Trial {
  readonly task: Task
  readonly isTrial: boolean
}

const severity: ReadonlyArray<CircuitState> = ["Shut", "Trial", "Free"]

export class Circuits extends Context.Service<
  Circuits,
  {
    /** How many attempts of a task may begin now. */
    readonly state: (task: Task) => Effect.Effect<CircuitState>
    /** A task begins. */
    readonly begin: (task: Task) => Effect.Effect<Trial>
    /** It has ended: well, or with a failure that may not be its own. */
    readonly end: (trial: Trial, ending: Ending) => Effect.Effect<void>
    /** What does not answer. */
    readonly outages: Effect.Effect<ReadonlyArray<Outage>>
  }
>()("@verbatim/core/worker/Circuits") {
  static readonly layer: Layer.Layer<Circuits> = Layer.effect(
    Circuits,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const circuits = new Map<Dependency, Circuit>()
      const causes = new Map<Dependency, string>()
      const logs: Readonly<Record<Dependency, OutageLog>> = yield* Effect.all(
        Record.map(dependencyNames, makeLog)
      )

      const of = (dependency: Dependency) => circuits.get(dependency) ?? closedCircuit

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

      const begin = (task: Task): Trial => {
        const isTrial = state(task) === "Trial"
        const now = clock.monotonicTimeNanosUnsafe()
        if (isTrial) change(task, (circuit) => startTrial(circuit, now))
        return { task, isTrial }
      }

      const tell = (culprit: Dependency, failure: Failure | undefined) => {
        const cause = failure === undefined ? undefined : causeOf(failure)
        if (cause === undefined) causes.delete(culprit)
        else causes.set(culprit, cause)
        const said = failure !== undefined && "detail" in failure ? failure.detail : ""
        return logs[culprit].failed(toLine(said))
      }

      const end = Effect.fnUntraced(function* ({ isTrial, task }: Trial, ending: Ending) {
        const now = clock.monotonicTimeNanosUnsafe()
        const failure = failureOf(ending)
        const culprit = failure === undefined ? undefined : culpritOf(task, failure)
        if (culprit !== undefined) {
          circuits.set(culprit, recordFailure(of(culprit), { isTrial, now }))
          return yield* tell(culprit, failure)
        }
        const used = usedBy(task, ending)
        if (isTrial && used.length === 0) change(task, (circuit) => dropTrial(circuit, now))
        for (const each of used) {
          if (circuits.delete(each)) yield* logs[each].worked
        }
      })

      return Circuits.of({
        state: (task) => Effect.sync(() => state(task)),
        begin: (task) => Effect.sync(() => begin(task)),
        end,
        outages: Effect.sync(() =>
          [...circuits].map(([dependency, { failures }]) => {
            const cause = causes.get(dependency)
            return { dependency, failures, ...(cause === undefined ? {} : { cause }) }
          })
        )
      })
    })
  )
}

const makeLog = (name: string) =>
  makeOutageLog({
    failing: `The ${name} cannot be used`,
    working: `The ${name} can be used`
  })

/** What a task has used, as far as its end tells. */
const usedBy = (task: Task, ending: Ending): ReadonlyArray<Dependency> => {
  if (ending._tag === "Succeeded") return needs[task]
  return ending._tag === "Failed" ? dependenciesTried(task, ending.failure) : []
}

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
export const culpritOf = (task: Task, { _tag }: Failure): Dependency | undefined => {
  if (_tag === "EngineUnavailable") return engines[task]
  if (_tag !== "StorageFailed") return undefined
  return needs[task].find((each) => each === "Database" || each === "MediaStore")
}

/** What a failed task has used: a file may be bad before any engine sees it. */
const dependenciesTried = (task: Task, failure: Failure | undefined): ReadonlyArray<Dependency> => {
  if (failure?._tag === "EngineFailed" || failure?._tag === "EngineRefused") return needs[task]
  const hasAsked = failure?._tag === "ReceiverRefused" || failure?._tag === "ReceiverUnreachable"
  return hasAsked ? needs[task] : []
}

/** Closed when nothing failed. Instants are monotonic nanoseconds. */
interface Circuit {
  /** In a row. */
  readonly failures: number
  /** Nothing is tried before then. */
  readonly pausedUntil: bigint
}

/** It answers, as far as anybody knows. */
const closedCircuit: Circuit = { failures: 0, pausedUntil: 0n }

const delay = Duration.toNanosUnsafe(Duration.seconds(1))
const delayMax = Duration.toNanosUnsafe(Duration.seconds(60))

/** Doublings after which the pause has its greatest length. */
const doublingsMax = 6

/** How many tasks that need it may begin: any number, one trial, or none yet. */
export type CircuitState = "Free" | "Trial" | "Shut"

/** What may pass now. */
const passageOf = ({ pausedUntil, failures }: Circuit, now: bigint): CircuitState => {
  if (failures === 0) return "Free"
  return now < pausedUntil ? "Shut" : "Trial"
}

/** A trial has begun. If it lasts, another one may follow: what takes long seems to work. */
const startTrial = (circuit: Circuit, now: bigint): Circuit => ({
  ...circuit,
  pausedUntil: now + delayMax
})

/** A trial has ended without a result: another one may follow at once. */
const dropTrial = (circuit: Circuit, now: bigint): Circuit => ({
  ...circuit,
  pausedUntil: now
})

/** It was out of reach. Tasks that began before that was known tell nothing new. */
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

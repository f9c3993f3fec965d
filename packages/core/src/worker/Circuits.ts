/** The circuits of a process: which tasks may begin, judged by what their predecessors met. */
import { Clock, Context, Effect, Layer, Record } from "effect"
import { causeOf, type Failure, toLine } from "../domain/attempt/Failure.ts"
import { type Dependency, dependencyNames, type Task } from "../domain/attempt/Work.ts"
import type { Outage } from "../ports/WorkerRegistry.ts"
import { makeOutageLog, type OutageLog } from "../services/OutageLog.ts"
import { type Ending, failureOf } from "./AttemptEnd.ts"
import * as Circuit from "./Circuit.ts"

/** A task that has begun, and whether others wait for what comes of it. */
export interface Trial {
  readonly task: Task
  readonly isTrial: boolean
}

const severity: ReadonlyArray<Circuit.Passage> = ["Shut", "Trial", "Free"]

export class Circuits extends Context.Service<
  Circuits,
  {
    /** How many attempts of a task may begin now. */
    readonly passage: (task: Task) => Effect.Effect<Circuit.Passage>
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
      const circuits = new Map<Dependency, Circuit.Circuit>()
      const causes = new Map<Dependency, string>()
      const logs: Readonly<Record<Dependency, OutageLog>> = yield* Effect.all(
        Record.map(dependencyNames, makeLog)
      )

      const of = (dependency: Dependency) => circuits.get(dependency) ?? Circuit.closedCircuit

      const passage = (task: Task): Circuit.Passage => {
        const now = clock.monotonicTimeNanosUnsafe()
        const passages = Circuit.needs[task].map((each) => Circuit.passage(of(each), now))
        return severity.find((each) => passages.includes(each)) ?? "Free"
      }

      const change = (task: Task, by: (circuit: Circuit.Circuit) => Circuit.Circuit) => {
        for (const each of Circuit.needs[task]) {
          if (of(each).failures > 0) circuits.set(each, by(of(each)))
        }
      }

      const begin = (task: Task): Trial => {
        const isTrial = passage(task) === "Trial"
        const now = clock.monotonicTimeNanosUnsafe()
        if (isTrial) change(task, (circuit) => Circuit.startTrial(circuit, now))
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
        const culprit = failure === undefined ? undefined : Circuit.culprit(task, failure)
        if (culprit !== undefined) {
          circuits.set(culprit, Circuit.recordFailure(of(culprit), { isTrial, now }))
          return yield* tell(culprit, failure)
        }
        const used = usedBy(task, ending)
        if (isTrial && used.length === 0) change(task, (circuit) => Circuit.dropTrial(circuit, now))
        for (const each of used) {
          if (circuits.delete(each)) yield* logs[each].worked
        }
      })

      return Circuits.of({
        passage: (task) => Effect.sync(() => passage(task)),
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
  if (ending._tag === "Succeeded") return Circuit.needs[task]
  return ending._tag === "Failed" ? Circuit.dependenciesTried(task, ending.failure) : []
}

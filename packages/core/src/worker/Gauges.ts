/**
 * What is found out only when somebody reads the metrics: what is owed in the database, whether the
 * engine is ready, what this worker does and cannot reach. Readers share the questions.
 */
import { Context, Duration, Effect, Layer, Option } from "effect"
import { Task, WorkKind } from "../domain/attempt/Work.ts"
import { version } from "../domain/version/index.ts"
import { coreMetrics, coreTable } from "../metrics/CoreTable.ts"
import { Transcriber } from "../ports/Transcriber.ts"
import { type PendingCounts, WorkQueue } from "../ports/WorkQueue.ts"
import { makeOutageLog, type OutageLog, reasonOf } from "../services/OutageLog.ts"
import { shareInFlight } from "../services/quota/SharedAnswers.ts"
import { Worker } from "./Worker.ts"

/** Prometheus reads every 15 s by default: two of it, and a person, ask the store no more. */
const interval: Duration.Duration = Duration.seconds(10)

/** Prometheus waits 10 s: a slow store costs it the numbers of the store alone. */
const patience: Duration.Duration = Duration.seconds(2)

/** A store that takes longer did not answer. */
const questionTimeout: Duration.Duration = Duration.seconds(5)

const noteOwed = (
  kind: WorkKind,
  { age, held, later, waiting }: PendingCounts
): Effect.Effect<void> =>
  Effect.all(
    [
      coreMetrics.owedWork.record({ kind, state: "waiting" }, waiting),
      coreMetrics.owedWork.record({ kind, state: "held" }, held),
      coreMetrics.owedWork.record({ kind, state: "later" }, later),
      coreMetrics.oldestOwed.record({ kind }, Duration.toSeconds(age))
    ],
    { discard: true }
  )

const forgetOwed = (kind: WorkKind): Effect.Effect<void> =>
  Effect.andThen(
    Effect.forEach(
      coreTable.owedWork.labels.state,
      (state) => coreMetrics.owedWork.forget({ kind, state }),
      { discard: true }
    ),
    coreMetrics.oldestOwed.forget({ kind })
  )

/** Old numbers would look like news: without an answer there are none. */
const askOwed = (queue: WorkQueue["Service"], log: OutageLog): Effect.Effect<void> =>
  queue.owed.pipe(
    Effect.timeout(questionTimeout),
    Effect.flatMap((owed) =>
      Effect.andThen(
        Effect.andThen(log.worked, coreMetrics.queueUp.record({}, 1)),
        Effect.forEach(WorkKind.literals, (kind) => noteOwed(kind, owed[kind]), { discard: true })
      )
    ),
    Effect.catchCause((cause) =>
      log
        .failed(reasonOf(cause))
        .pipe(
          Effect.andThen(coreMetrics.queueUp.record({}, 0)),
          Effect.andThen(Effect.forEach(WorkKind.literals, forgetOwed, { discard: true }))
        )
    )
  )

const askEngine = ({ readiness }: Transcriber["Service"]): Effect.Effect<void> =>
  Effect.flatMap(readiness, ({ _tag }) =>
    coreMetrics.engineReady.record({}, _tag === "Ready" ? 1 : 0)
  ).pipe(Effect.timeoutOption(patience), Effect.ignoreCause)

const askWorker = ({ activity }: Worker["Service"]): Effect.Effect<void> =>
  Effect.flatMap(activity, ({ outages, running }) =>
    Effect.andThen(
      Effect.forEach(
        Task.literals,
        (task) => coreMetrics.attemptsRunning.record({ task }, running[task]),
        { discard: true }
      ),
      Effect.forEach(
        coreTable.dependencyUp.labels.dependency,
        (dependency) => {
          const isOut = outages.some((outage) => outage.dependency === dependency)
          return coreMetrics.dependencyUp.record({ dependency }, isOut ? 0 : 1)
        },
        { discard: true }
      )
    )
  )

export class Gauges extends Context.Service<
  Gauges,
  {
    /**
     * Brings them up to date, for a reader who comes next. The store is asked at most once every
     * 10 s, however many read; a reader waits for it 2 s at most. Never fails.
     */
    readonly refresh: Effect.Effect<void>
  }
>()("@verbatim/core/worker/Gauges") {
  /** Gauges of the queue; and of the engine and the worker, in a process that has them. */
  static readonly layer: Layer.Layer<Gauges, never, WorkQueue> = Layer.effect(
    Gauges,
    Effect.gen(function* () {
      const queue = yield* WorkQueue
      const transcriber = yield* Effect.serviceOption(Transcriber)
      const worker = yield* Effect.serviceOption(Worker)
      const log = yield* makeOutageLog({
        failing: "Pending work cannot be counted",
        working: "Pending work can be counted",
        reminds: false
      })
      const questions = [
        coreMetrics.buildInfo.record({ version }),
        Effect.timeoutOption(shareInFlight(askOwed(queue, log), interval), patience),
        ...Option.toArray(transcriber).map(askEngine),
        ...Option.toArray(worker).map(askWorker)
      ]
      return Gauges.of({
        refresh: Effect.all(questions, { concurrency: "unbounded", discard: true })
      })
    })
  )
}

/**
 * Updates some gauges only when metrics are read: pending work, the engine's readiness, and this
 * worker's running attempts and outages. Concurrent readers share the queries.
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

/**
 * Minimum interval between queries, however many readers there are. Prometheus reads every 15 s by
 * default.
 */
const interval: Duration.Duration = Duration.seconds(10)

/**
 * Maximum time that a reader waits for the store. Prometheus itself waits 10 s. If the store is
 * slow, only the store's numbers are missing.
 */
const readerTimeout: Duration.Duration = Duration.seconds(2)

/** Maximum time for a response from the store. */
const queryTimeout: Duration.Duration = Duration.seconds(5)

const recordPending = (
  kind: WorkKind,
  { age, held, later, waiting }: PendingCounts
): Effect.Effect<void> =>
  Effect.all(
    [
      coreMetrics.pendingWork.record({ kind, state: "waiting" }, waiting),
      coreMetrics.pendingWork.record({ kind, state: "held" }, held),
      coreMetrics.pendingWork.record({ kind, state: "later" }, later),
      coreMetrics.oldestPending.record({ kind }, Duration.toSeconds(age))
    ],
    { discard: true }
  )

const clearPending = (kind: WorkKind): Effect.Effect<void> =>
  Effect.andThen(
    Effect.forEach(
      coreTable.pendingWork.labels.state,
      (state) => coreMetrics.pendingWork.forget({ kind, state }),
      { discard: true }
    ),
    coreMetrics.oldestPending.forget({ kind })
  )

/** The old numbers are removed if the store does not respond, because they would look current. */
const refreshPending = (queue: WorkQueue["Service"], log: OutageLog): Effect.Effect<void> =>
  queue.pendingCounts.pipe(
    Effect.timeout(queryTimeout),
    Effect.flatMap((pendingCounts) =>
      Effect.andThen(
        Effect.andThen(log.worked, coreMetrics.queueUp.record({}, 1)),
        Effect.forEach(WorkKind.literals, (kind) => recordPending(kind, pendingCounts[kind]), {
          discard: true
        })
      )
    ),
    Effect.catchCause((cause) =>
      log
        .failed(reasonOf(cause))
        .pipe(
          Effect.andThen(coreMetrics.queueUp.record({}, 0)),
          Effect.andThen(Effect.forEach(WorkKind.literals, clearPending, { discard: true }))
        )
    )
  )

const refreshEngine = ({ readiness }: Transcriber["Service"]): Effect.Effect<void> =>
  Effect.flatMap(readiness, ({ _tag }) =>
    coreMetrics.engineReady.record({}, _tag === "Ready" ? 1 : 0)
  ).pipe(Effect.timeoutOption(readerTimeout), Effect.ignoreCause)

const refreshWorker = ({ activity }: Worker["Service"]): Effect.Effect<void> =>
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

const makeGauges = Effect.gen(function* () {
  const queue = yield* WorkQueue
  const transcriber = yield* Effect.serviceOption(Transcriber)
  const worker = yield* Effect.serviceOption(Worker)
  const log = yield* makeOutageLog({
    failing: "Pending work cannot be counted",
    working: "Pending work can be counted",
    reminds: false
  })
  const updates = [
    coreMetrics.buildInfo.record({ version }),
    Effect.timeoutOption(shareInFlight(refreshPending(queue, log), interval), readerTimeout),
    ...Option.toArray(transcriber).map(refreshEngine),
    ...Option.toArray(worker).map(refreshWorker)
  ]
  return {
    /**
     * Updates the gauges before they are read. The store is queried at most once every 10 s,
     * however many readers there are, and a reader waits at most 2 s for it. Never fails.
     */
    refresh: Effect.all(updates, { concurrency: "unbounded", discard: true })
  }
})

export class Gauges extends Context.Service<Gauges, Effect.Success<typeof makeGauges>>()(
  "@verbatim/core/worker/Gauges"
) {
  /** Gauges for the queue, and for the engine and the worker if the process has them. */
  static readonly layer: Layer.Layer<Gauges, never, WorkQueue> = Layer.effect(Gauges, makeGauges)
}

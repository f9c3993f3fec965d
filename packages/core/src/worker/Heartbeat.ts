/**
 * Reports a running worker to the registry at intervals, and pauses the tasks that the registry
 * lists as paused.
 */
import { Array, Clock, Context, DateTime, Duration, Effect, Layer, Order } from "effect"
import { SecureRandom } from "effect/crypto"
import { Task } from "../domain/attempt/Work.ts"
import {
  type EndedJobs,
  endedRange,
  type RegisteredWorker,
  WorkerId,
  type WorkerOverview,
  WorkerRegistry,
  type WorkerRegistryError
} from "../ports/WorkerRegistry.ts"
import { leaseDuration } from "../ports/WorkQueue.ts"
import { shareInFlight } from "../services/quota/SharedAnswers.ts"
import { repeatEvery } from "./Leases.ts"
import { FirstPauses, Worker } from "./Worker.ts"
/**
 * Interval between reports. Two reports can fail before other processes consider the worker dead.
 */
export const reportInterval: Duration.Duration = Duration.seconds(10)

/** Maximum time for the last report, so that a slow store does not delay the process's exit. */
const leaveTimeout = Duration.seconds(2)

/** Whether a worker has sent a report within the duration of a lease. */
export const isAlive = ({ seenAt }: Pick<RegisteredWorker, "seenAt">, now: DateTime.Utc): boolean =>
  DateTime.isLessThan(now, DateTime.addDuration(seenAt, leaseDuration))

/**
 * Reports a worker under the given name for the lifetime of the layer. If a report fails, the next
 * one replaces it. The worker begins its first task after the first report, so that paused tasks do
 * not begin after a restart. If that report fails, no task is paused.
 */
export const layer = <E, R>(
  name: string,
  worker: Layer.Layer<Worker, E, R>
): Layer.Layer<Worker, E, R | SecureRandom.SecureRandom | WorkerRegistry> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const registry = yield* WorkerRegistry
      const { activity, drain, pause } = yield* Worker
      const random = yield* SecureRandom.SecureRandom
      const id = WorkerId.make(yield* random.uuidV4())
      // The worker stops claiming before it leaves the registry.
      yield* Effect.addFinalizer(() =>
        Effect.andThen(drain, Effect.ignore(Effect.timeout(registry.leave(id), leaveTimeout)))
      )
      let paused: ReadonlyArray<Task> = []
      yield* Effect.flatMap(activity, ({ failures, outages, running }) =>
        registry.report({ id, name, running, outages, failures })
      ).pipe(
        Effect.timeout(reportInterval),
        Effect.catchCause((cause) =>
          Effect.as(Effect.logDebug("A worker could not report", cause), paused)
        ),
        Effect.flatMap((tasks) => {
          paused = tasks
          return pause(tasks)
        }),
        repeatEvery(reportInterval),
        Effect.forkScoped
      )
    })
  ).pipe(Layer.provideMerge(Layer.provide(worker, Layer.succeed(FirstPauses, Task.literals))))

/**
 * Minimum time between two overviews, because each one reads all pending work. The operator's page
 * refreshes at this interval.
 */
const interval: Duration.Duration = Duration.seconds(2)

/**
 * Minimum time between two counts of ended jobs, even if the first one fails. SQLite takes 30 ms to
 * count 100,000 jobs.
 */
const endedInterval: Duration.Duration = Duration.minutes(1)

/** Maximum time that an overview waits for the counts of ended jobs. */
const endedTimeout: Duration.Duration = Duration.millis(500)

/** The last counts of ended jobs. */
interface LastCounts {
  readonly counts: ReadonlyArray<EndedJobs>
  /** How long ago the query began. */
  readonly age: Duration.Duration
}

/**
 * Returns the counts for each hour of `endedRange`, ending with the current hour. Hours that began
 * after the last count are left out, because nothing is known about them.
 */
const toHours = ({ age, counts }: LastCounts, now: DateTime.Utc): ReadonlyArray<EndedJobs> => {
  const current = DateTime.startOf(now, "hour")
  const hours = Math.round(Duration.toHours(endedRange))
  // Counts are reused for `endedInterval`, so until then they apply to the current hour too.
  const known = DateTime.subtractDuration(now, Duration.subtract(age, endedInterval))
  return Array.makeBy(hours, (index) => {
    const from = DateTime.subtract(current, { hours: hours - 1 - index })
    const counted = counts.find((each) => DateTime.Equivalence(each.from, from))
    return counted ?? { from, completed: 0, failed: 0 }
  }).filter(({ from }) => DateTime.isLessThanOrEqualTo(from, known))
}

/**
 * Creates an effect that returns the last counts of ended jobs; undefined if they were never
 * counted. A slow count continues in the background.
 */
const makeLastCounts = (ended: WorkerRegistry["Service"]["ended"]) => {
  let last: { readonly counts: LastCounts["counts"]; readonly at: bigint } | undefined
  const count = Effect.flatMap(Clock.monotonicTimeNanos, (at) =>
    Effect.map(ended, (counts) => {
      last = { counts, at }
    })
  )
  return shareInFlight(count, endedInterval).pipe(
    Effect.timeout(endedTimeout),
    Effect.catchCause((cause) => Effect.logDebug("Ended jobs could not be counted", cause)),
    Effect.andThen(Clock.monotonicTimeNanos),
    Effect.map((now) => last && { counts: last.counts, age: Duration.nanos(now - last.at) })
  )
}

/** An overview of the workers, with the number of ended jobs in each hour of `endedRange`. */
export interface DayOverview extends WorkerOverview {
  readonly hours: ReadonlyArray<EndedJobs>
}

export class WorkerOverviews extends Context.Service<
  WorkerOverviews,
  {
    /**
     * Returns an approximate snapshot of the workers and the pending work, at most two seconds old.
     * Ended jobs are counted once a minute; if they cannot be counted, the last counts are shown,
     * without the hours that have begun since.
     */
    readonly survey: Effect.Effect<DayOverview, WorkerRegistryError>
    /**
     * Sets the paused tasks, which every worker pauses after its next report. Returns them sorted
     * by name, without duplicates.
     */
    readonly pause: (
      tasks: ReadonlyArray<Task>
    ) => Effect.Effect<ReadonlyArray<Task>, WorkerRegistryError>
  }
>()("@verbatim/core/worker/WorkerOverviews") {
  /** The layer, built on the registry that all processes report to. */
  static readonly layer: Layer.Layer<WorkerOverviews, never, WorkerRegistry> = Layer.effect(
    WorkerOverviews,
    Effect.map(WorkerRegistry, ({ ended, pause, survey }) => {
      const counted = makeLastCounts(ended)
      const overview = Effect.zipWith(
        survey,
        counted,
        (surveyed, last) => ({ ...surveyed, hours: last ? toHours(last, surveyed.now) : [] }),
        { concurrent: true }
      )
      return WorkerOverviews.of({
        survey: shareInFlight(overview, interval),
        pause: (tasks) => {
          const paused = Array.sort(new Set(tasks), Order.String)
          return Effect.as(pause(paused), paused)
        }
      })
    })
  )
}

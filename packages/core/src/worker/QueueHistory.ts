/**
 * Records the amount of pending work over the last day, as seen by this process, for people who
 * investigate an incident. Nothing is stored, so there are no samples from before the process
 * started, or from when the store did not respond.
 */
import { Context, DateTime, Deferred, Duration, Effect, Layer, Ref } from "effect"
import { type PendingCounts, WorkQueue } from "../ports/WorkQueue.ts"

/**
 * The amount of pending work at one point in time: the number of tasks of each kind, counted up to
 * `pendingMax`.
 */
export interface QueueSample {
  readonly at: DateTime.Utc
  /** Work that is due, and not leased. */
  readonly due: number
  /** Work leased by a worker. */
  readonly leased: number
  /** Work that is not due yet. */
  readonly later: number
}

/**
 * Interval between samples. Pending work changes within seconds, but a view of a day shows nothing
 * shorter than a minute.
 */
const sampleInterval: Duration.Duration = Duration.minutes(1)

/** How long a sample is kept. */
export const sampleRetention: Duration.Duration = Duration.days(1)

/** Maximum number of samples, to bound memory even if the clock runs slowly. */
const sampleMax = Math.ceil(Duration.toMillis(sampleRetention) / Duration.toMillis(sampleInterval))

/** Maximum time for a response from the store. */
const queryTimeout: Duration.Duration = Duration.seconds(5)

/**
 * Adds a sample, and returns all samples, oldest first. Expired samples are dropped, as are samples
 * from the future, which remain after a clock was set back.
 */
export const addSample = (
  samples: ReadonlyArray<QueueSample>,
  sample: QueueSample
): ReadonlyArray<QueueSample> => {
  const from = DateTime.subtractDuration(sample.at, sampleRetention)
  const kept = samples.filter(
    ({ at }) => DateTime.isGreaterThan(at, from) && DateTime.isLessThan(at, sample.at)
  )
  return [...kept, sample].slice(-sampleMax)
}

/** Pending work of all kinds combined. */
const sumPending = (
  pendingCounts: Readonly<Record<string, PendingCounts>>
): Omit<QueueSample, "at"> => {
  const sum = { due: 0, leased: 0, later: 0 }
  for (const { held, later, waiting } of Object.values(pendingCounts)) {
    sum.due += waiting
    sum.leased += held
    sum.later += later
  }
  return sum
}

/** Creates the methods of `QueueHistory`. */
const makeQueueHistory = Effect.gen(function* () {
  const queue = yield* WorkQueue
  const samples = yield* Ref.make<ReadonlyArray<QueueSample>>([])
  const hasLooked = yield* Deferred.make<void>()
  const look = Effect.flatMap(DateTime.now, (at) =>
    Effect.flatMap(Effect.timeout(queue.pendingCounts, queryTimeout), (pendingCounts) =>
      Ref.update(samples, (before) => addSample(before, { at, ...sumPending(pendingCounts) }))
    )
  ).pipe(
    Effect.catchCause((cause) => Effect.logDebug("The queue could not be read", cause)),
    Effect.andThen(Deferred.succeed(hasLooked, undefined))
  )
  yield* look.pipe(Effect.andThen(Effect.sleep(sampleInterval)), Effect.forever, Effect.forkScoped)
  return {
    /**
     * The samples of the last day, oldest first, at most one per minute. A caller that arrives
     * before the first sample waits up to five seconds for that sample.
     */
    samples: Effect.andThen(
      Effect.timeoutOption(Deferred.await(hasLooked), queryTimeout),
      Ref.get(samples)
    )
  }
})

export class QueueHistory extends Context.Service<
  QueueHistory,
  Effect.Success<typeof makeQueueHistory>
>()("@verbatim/core/worker/QueueHistory") {
  /** Samples the queue once a minute until the scope ends. */
  static readonly layer: Layer.Layer<QueueHistory, never, WorkQueue> = Layer.effect(
    QueueHistory,
    makeQueueHistory
  )
}

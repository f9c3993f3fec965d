/**
 * Records how much work was pending over the last day, for people who investigate an incident. The
 * samples are kept only in this process, so there are none from before its start, or from when the
 * store did not respond.
 */
import { Context, DateTime, Deferred, Duration, Effect, Layer, Ref } from "effect"
import { type PendingCounts, WorkQueue } from "../ports/WorkQueue.ts"

/**
 * The pending work at one point in time: the number of tasks, with up to `pendingMax` counted per
 * kind.
 */
export interface QueueSample {
  readonly at: DateTime.Utc
  /** Number of tasks that are due and not leased. */
  readonly due: number
  /** Number of tasks that workers have leased. */
  readonly leased: number
  /** Number of tasks that are not due yet. */
  readonly later: number
}

/**
 * Interval between samples. Pending work changes within seconds, but a view of a day cannot show
 * anything shorter than a minute.
 */
const sampleInterval: Duration.Duration = Duration.minutes(1)

/** How long a sample is kept. */
export const sampleRetention: Duration.Duration = Duration.days(1)

/** Maximum number of samples, which limits memory even if the clock runs slowly. */
const sampleMax = Math.ceil(Duration.toMillis(sampleRetention) / Duration.toMillis(sampleInterval))

/** Maximum time for a response from the store. */
const queryTimeout: Duration.Duration = Duration.seconds(5)

/**
 * Adds a sample, and returns all samples, the oldest first. Expired samples are dropped, and also
 * samples from the future, which remain after a clock was set back.
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

/** Adds up the pending work of all kinds. */
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
     * Returns the samples of the last day, the oldest first, with at most one per minute. A caller
     * that arrives before the first sample waits up to five seconds for it.
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

/**
 * How much work was owed over the last day, as this process has seen it: for people who come when
 * something has happened already. Nothing of it is stored, so a process knows nothing of the time
 * before its start, and none for which the store did not answer.
 */
import { Context, DateTime, Deferred, Duration, Effect, Layer, Ref } from "effect"
import { type PendingCounts, WorkQueue } from "../ports/WorkQueue.ts"

/** How much was owed at an instant: of each kind up to `owedMax` pieces. */
export interface QueueSample {
  readonly at: DateTime.Utc
  /** Due, and held by no worker. */
  readonly due: number
  /** Held by a worker. */
  readonly leased: number
  /** Not due yet. */
  readonly later: number
}

/** What is owed changes within seconds; over a day nobody sees less than a minute. */
const sampleInterval: Duration.Duration = Duration.minutes(1)

/** How long a sample is kept. */
export const sampleRetention: Duration.Duration = Duration.days(1)

/** Most samples that are kept: with a clock that goes slowly they would be more. */
const sampleMax = Math.ceil(Duration.toMillis(sampleRetention) / Duration.toMillis(sampleInterval))

/** A store that takes longer did not answer. */
const patience: Duration.Duration = Duration.seconds(5)

/**
 * The samples with one more, the oldest first. Those that are over go; so do those of a time that
 * has not come, which a clock left behind when it was set back.
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

/** What is owed of all kinds together. */
const sumOf = (owed: Readonly<Record<string, PendingCounts>>): Omit<QueueSample, "at"> => {
  const sum = { due: 0, leased: 0, later: 0 }
  for (const { held, later, waiting } of Object.values(owed)) {
    sum.due += waiting
    sum.leased += held
    sum.later += later
  }
  return sum
}

export class QueueHistory extends Context.Service<
  QueueHistory,
  {
    /**
     * The samples of the last day, the oldest first: one each minute at most. Whoever asks at the
     * start waits for the first look, five seconds at most.
     */
    readonly samples: Effect.Effect<ReadonlyArray<QueueSample>>
  }
>()("@verbatim/core/worker/QueueHistory") {
  /** Looks at the queue once a minute until the scope ends. */
  static readonly layer: Layer.Layer<QueueHistory, never, WorkQueue> = Layer.effect(
    QueueHistory,
    Effect.gen(function* () {
      const queue = yield* WorkQueue
      const samples = yield* Ref.make<ReadonlyArray<QueueSample>>([])
      const hasLooked = yield* Deferred.make<void>()
      const look = Effect.flatMap(DateTime.now, (at) =>
        Effect.flatMap(Effect.timeout(queue.owed, patience), (owed) =>
          Ref.update(samples, (before) => addSample(before, { at, ...sumOf(owed) }))
        )
      ).pipe(
        Effect.catchCause((cause) => Effect.logDebug("The queue could not be looked at", cause)),
        Effect.andThen(Deferred.succeed(hasLooked, undefined))
      )
      yield* look.pipe(
        Effect.andThen(Effect.sleep(sampleInterval)),
        Effect.forever,
        Effect.forkScoped
      )
      return QueueHistory.of({
        samples: Effect.andThen(
          Effect.timeoutOption(Deferred.await(hasLooked), patience),
          Ref.get(samples)
        )
      })
    })
  )
}

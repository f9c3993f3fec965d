/**
 * One question for all who ask: it is put at most once in an interval, whoever asks first goes away
 * or not, and never twice at the same time. Who asks waits for it so long and no longer.
 */
import { Clock, Duration, Effect, Fiber } from "effect"

/** How a question is shared. */
export interface Sharing {
  /** From the start of a question to the start of the next. */
  readonly interval: Duration.Duration
  /** How long somebody waits for the question that is under way. */
  readonly patience: Duration.Duration
}

/**
 * Asks, unless the answer is younger than the interval, and waits for what is under way. What the
 * question finds out it leaves where readers look: the effect tells nothing, and never fails.
 */
export const shareQuestion = (
  question: Effect.Effect<void>,
  { interval, patience }: Sharing
): Effect.Effect<void> => {
  const nanos = Duration.toNanosUnsafe(interval)
  let askedAt: bigint | undefined
  let underway: Fiber.Fiber<void> | undefined

  /** A fiber of its own, which no reader can interrupt. */
  const ask = Effect.map(Effect.forkDetach(question), (fiber) => {
    underway = fiber
    fiber.addObserver(() => {
      underway = undefined
    })
  })

  return Effect.gen(function* () {
    const now = yield* Clock.monotonicTimeNanos
    if (underway === undefined && (askedAt === undefined || now - askedAt >= nanos)) {
      askedAt = now
      yield* Effect.uninterruptible(ask)
    }
    if (underway !== undefined) yield* Effect.timeoutOption(Fiber.await(underway), patience)
  })
}

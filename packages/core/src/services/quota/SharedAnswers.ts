/**
 * One question for all who ask within a time. It is never put twice at the same time, and goes on
 * when whoever asked first goes away: the others wait for it.
 */
import { Clock, Duration, Effect, Fiber } from "effect"

/** A question that was put. */
interface Asked<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  readonly at: bigint
}

/**
 * Asks, unless the last question is under way or was put less than the interval ago: then its
 * answer is given again. So is its failure, and not for longer. Who has no patience leaves, by a
 * time-out of its own.
 */
export const shareInFlight = <A, E>(
  question: Effect.Effect<A, E>,
  interval: Duration.Duration
): Effect.Effect<A, E> => {
  const nanos = Duration.toNanosUnsafe(interval)
  let last: Asked<A, E> | undefined

  const isGood = ({ at, fiber }: Asked<A, E>, now: bigint): boolean =>
    fiber.pollUnsafe() === undefined || now - at < nanos

  /** On a fiber of its own, which nobody who asks can interrupt. */
  const ask = (now: bigint) =>
    Effect.uninterruptible(
      Effect.map(Effect.forkDetach(question), (fiber) => {
        last = { fiber, at: now }
        return fiber
      })
    )

  return Effect.flatMap(Clock.monotonicTimeNanos, (now) =>
    Effect.flatMap(
      last !== undefined && isGood(last, now) ? Effect.succeed(last.fiber) : ask(now),
      (fiber) => Effect.flatten(Fiber.await(fiber))
    )
  )
}

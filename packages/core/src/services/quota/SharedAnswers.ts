/**
 * Shares the result of a query among all callers within an interval. The query never runs twice at
 * the same time, and continues even if its first caller leaves, because others may be waiting.
 */
import { Clock, Duration, Effect, type Exit, Fiber } from "effect"

/** A query that was started, and the time when it began. */
interface StartedQuery<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  readonly at: bigint
}

/**
 * Runs the query, unless it is already running or last began less than the interval ago. The caller
 * then gets the result of that query, even if it failed. The interval can depend on the result.
 * Callers that cannot wait use their own timeout.
 */
export const shareInFlight = <A, E>(
  question: Effect.Effect<A, E>,
  interval: Duration.Duration | ((exit: Exit.Exit<A, E>) => Duration.Duration)
): Effect.Effect<A, E> => {
  const lifetimeOf = typeof interval === "function" ? interval : () => interval
  let last: StartedQuery<A, E> | undefined

  const isGood = ({ at, fiber }: StartedQuery<A, E>, now: bigint): boolean => {
    const exit = fiber.pollUnsafe()
    return exit === undefined || now - at < Duration.toNanosUnsafe(lifetimeOf(exit))
  }

  /** Runs the query in its own fiber, which no caller can interrupt. */
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

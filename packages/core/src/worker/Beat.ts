/**
 * Work at a steady beat that no step of the wall clock disturbs. `Schedule.fixed` goes by that
 * clock: set back, it waits for up to twice its interval.
 */
import { Clock, Duration, Effect } from "effect"

/** Repeats from start to start: at once where one took longer than the interval. */
export const repeatEvery =
  (interval: Duration.Duration) =>
  <A, R>(work: Effect.Effect<A, never, R>): Effect.Effect<never, never, R> =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const beat = Duration.toNanosUnsafe(interval)
      let next = clock.monotonicTimeNanosUnsafe()
      for (;;) {
        yield* work
        const now = clock.monotonicTimeNanosUnsafe()
        next += beat
        if (next < now) next = now
        yield* Effect.sleep(Duration.nanos(next - now))
      }
    })

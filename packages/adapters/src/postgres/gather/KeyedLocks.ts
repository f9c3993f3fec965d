/**
 * Locks by key: effects on the same subject run one at a time, in order of arrival. A caller that
 * does not get its locks before its deadline fails with the same error as one that waited too long
 * for a database lock.
 */
import { untilDeadline } from "@verbatim/core/ports"
import { Effect, Semaphore } from "effect"
import { SqlError } from "effect/sql"

interface KeyedLock {
  readonly semaphore: Semaphore.Semaphore
  /** The number of callers that run or wait. */
  callers: number
}

/** Runs an effect while no other one runs on any of its subjects. */
export type RunLocked = <A, E, R>(
  subjects: ReadonlyArray<string>,
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | SqlError.SqlError, R>

const refusal = () =>
  new SqlError.SqlError({
    reason: new SqlError.LockTimeoutError({
      cause: new Error("others were writing the same until the deadline"),
      operation: "execute"
    })
  })

/** Runs an effect with a permit if one becomes free before the deadline. */
export const withPermit = <A, E, R>(
  permits: Semaphore.Semaphore,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.scoped(Effect.andThen(untilDeadline(refusal)(permits.takeScoped(1)), effect))

/** Makes locks for one kind of subject. An unused lock takes no memory. */
export const makeKeyedLocks = (): RunLocked => {
  const locks = new Map<string, KeyedLock>()

  const runLocked = <A, E, R>(subject: string, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const lock = locks.get(subject) ?? { semaphore: Semaphore.makeUnsafe(1), callers: 0 }
      locks.set(subject, lock)
      lock.callers += 1
      const leave = Effect.sync(() => {
        lock.callers -= 1
        if (lock.callers === 0) locks.delete(subject)
      })
      // Usually the permit is free. In that case, no scope is created for the wait.
      const { semaphore } = lock
      const run =
        lock.callers > 1 ? withPermit(semaphore, effect) : semaphore.withPermits(1)(effect)
      return Effect.ensuring(run, leave)
    })

  // All callers take the locks in the same order, so that no two wait for each other.
  return <A, E, R>(subjects: ReadonlyArray<string>, effect: Effect.Effect<A, E, R>) =>
    [...new Set(subjects)]
      .sort()
      .reduceRight<Effect.Effect<A, E | SqlError.SqlError, R>>(
        (inner, subject) => runLocked(subject, inner),
        effect
      )
}

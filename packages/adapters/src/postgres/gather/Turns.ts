/**
 * Turns: effects about the same subject run one at a time, in order of arrival. A caller whose
 * turn does not come before its deadline is refused as by a lock in the database.
 */
import { untilDeadline } from "@verbatim/core/ports"
import { Effect, Semaphore } from "effect"
import { SqlError } from "effect/sql"

interface Turn {
  readonly semaphore: Semaphore.Semaphore
  /** Who runs or waits. */
  callers: number
}

/** Runs an effect when nobody else runs one about any of its subjects. */
export type InTurn = <A, E, R>(
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

/** Runs an effect with a permit, if there is one before the deadline. */
export const withPlace = <A, E, R>(
  places: Semaphore.Semaphore,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.scoped(Effect.andThen(untilDeadline(refusal)(places.takeScoped(1)), effect))

/** Subjects of one sort. One that is not in use takes no memory. */
export const makeTurns = (): InTurn => {
  const turns = new Map<string, Turn>()

  const inTurn = <A, E, R>(subject: string, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const turn = turns.get(subject) ?? { semaphore: Semaphore.makeUnsafe(1), callers: 0 }
      turns.set(subject, turn)
      turn.callers += 1
      const leave = Effect.sync(() => {
        turn.callers -= 1
        if (turn.callers === 0) turns.delete(subject)
      })
      // Nearly always it is free: no scope is made to wait in.
      const { semaphore } = turn
      const run = turn.callers > 1 ? withPlace(semaphore, effect) : semaphore.withPermits(1)(effect)
      return Effect.ensuring(run, leave)
    })

  // Taken in one order by all, so that no two wait for each other.
  return <A, E, R>(subjects: ReadonlyArray<string>, effect: Effect.Effect<A, E, R>) =>
    [...new Set(subjects)]
      .sort()
      .reduceRight<Effect.Effect<A, E | SqlError.SqlError, R>>(
        (inner, subject) => inTurn(subject, inner),
        effect
      )
}

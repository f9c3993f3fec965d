/** Turns: effects about the same subject run one at a time, in order of arrival. */
import { Effect, Semaphore } from "effect"

interface Turn {
  readonly semaphore: Semaphore.Semaphore
  /** Who runs or waits. */
  callers: number
}

/** Runs an effect when nobody else runs one about any of its subjects. */
export type InTurn = <A, E, R>(
  subjects: ReadonlyArray<string>,
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, E, R>

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
      return Effect.ensuring(turn.semaphore.withPermits(1)(effect), leave)
    })

  // Taken in one order by all, so that no two wait for each other.
  return (subjects, effect) =>
    [...new Set(subjects)].sort().reduceRight((inner, subject) => inTurn(subject, inner), effect)
}

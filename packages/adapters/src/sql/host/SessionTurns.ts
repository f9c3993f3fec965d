/**
 * Turns on the sessions that hosts hand over: one call at a time uses a session, whatever objects
 * stand for it, and whichever stores they were given to. Savepoints of two calls would undo, or
 * release, each other.
 */
import { Effect, Semaphore } from "effect"

/** Runs effects one after the other. */
export type Turn = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

interface Held {
  readonly turn: Semaphore.Semaphore
  users: number
}

/** Makes turns by whatever tells sessions apart. One that nobody uses is forgotten. */
export const makeTurns = (): ((session: unknown) => Turn) => {
  const all = new Map<unknown, Held>()
  const join = (session: unknown) =>
    Effect.sync(() => {
      const held = all.get(session) ?? { turn: Semaphore.makeUnsafe(1), users: 0 }
      held.users += 1
      all.set(session, held)
      return held
    })
  const leave = (session: unknown, held: Held) =>
    Effect.sync(() => {
      held.users -= 1
      if (held.users === 0) all.delete(session)
    })
  return (session) => (self) =>
    Effect.acquireUseRelease(
      join(session),
      ({ turn }) => turn.withPermit(self),
      (held) => leave(session, held)
    )
}

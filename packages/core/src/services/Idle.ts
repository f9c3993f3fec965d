/**
 * Waiting for others: a slow sender, a foreign host, the end of a job. What a caller holds for its
 * work, such as one of the few places that its key has, is free for others during such a wait.
 */
import { Context, Effect } from "effect"

/** What happens to the caller's place at work. Both do nothing where there is none. */
export interface Idle {
  /** Gives the place back. */
  readonly begin: Effect.Effect<void>
  /** Waits for a place again. */
  readonly end: Effect.Effect<void>
}

export const Idle: Context.Reference<Idle> = Context.Reference("@verbatim/core/services/Idle", {
  defaultValue: (): Idle => ({ begin: Effect.void, end: Effect.void })
})

/** Waits without a place at work. After a failure there is little left to do, and none is taken. */
export const waitIdle = <A, E, R>(waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Idle, ({ begin, end }) =>
    Effect.andThen(
      begin,
      Effect.tap(waiting, () => end)
    )
  )

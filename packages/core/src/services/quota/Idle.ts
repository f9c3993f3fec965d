/**
 * Waits for a slow sender, a remote host or the end of a job. During such a wait a caller gives up
 * what it holds for its work, such as one of the few places that its key has.
 */
import { Context, Effect } from "effect"

/** The caller's place at work. By default it has none, and both do nothing. */
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

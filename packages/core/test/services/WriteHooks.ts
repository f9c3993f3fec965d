/**
 * Runs hooks just before a store method. A test can thus write between a service's read and its
 * write.
 */
import { Effect } from "effect"

/** Wraps a method so that the hook runs before each call. */
export const withHook =
  <Given extends ReadonlyArray<unknown>, A, E, E2 = never>(
    method: (...given: Given) => Effect.Effect<A, E>,
    before: () => Effect.Effect<unknown, E2>
  ) =>
  (...given: Given): Effect.Effect<A, E | E2> =>
    Effect.andThen(Effect.suspend(before), method(...given))

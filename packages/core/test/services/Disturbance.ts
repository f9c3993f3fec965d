/**
 * What somebody else does between what a service reads and what it writes: something that a test
 * may set at any time, just before a method of a store.
 */
import { type Context, Effect, Layer } from "effect"

/** The method, with something before each call. */
export const disturb =
  <Given extends ReadonlyArray<unknown>, A, E, E2 = never>(
    method: (...given: Given) => Effect.Effect<A, E>,
    before: () => Effect.Effect<unknown, E2>
  ) =>
  (...given: Given): Effect.Effect<A, E | E2> =>
    Effect.andThen(Effect.suspend(before), method(...given))

/** The store, with some methods disturbed. */
export const disturbStore = <Store, Service extends object, I, Interference>(
  store: Context.Key<Store, Service>,
  {
    by,
    methods
  }: {
    readonly by: Context.Key<I, Interference>
    readonly methods: (sound: Service, interference: Interference) => Partial<Service>
  }
): Layer.Layer<Store, never, Store | I> =>
  Layer.effect(
    store,
    Effect.gen(function* () {
      const sound = yield* store
      return { ...sound, ...methods(sound, yield* by) }
    })
  )

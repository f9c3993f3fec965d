/**
 * Lets a test act as another writer between a service's read and its write, with a hook that runs
 * just before a store method.
 */
import { type Context, Effect, Layer } from "effect"

/** Wraps a method so that the hook runs before each call. */
export const withHook =
  <Given extends ReadonlyArray<unknown>, A, E, E2 = never>(
    method: (...given: Given) => Effect.Effect<A, E>,
    before: () => Effect.Effect<unknown, E2>
  ) =>
  (...given: Given): Effect.Effect<A, E | E2> =>
    Effect.andThen(Effect.suspend(before), method(...given))

/** The store, with hooks before some methods. */
export const withHooks = <Store, Service extends object, I, Interference>(
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

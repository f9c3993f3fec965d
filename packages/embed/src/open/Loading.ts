/** Adapters that are loaded when they are chosen: nobody waits for, or installs, others. */
import { Effect, Layer } from "effect"

/** The layer of a module that is imported when the layer is built. */
export const loadLayer = <A, E, R>(
  load: () => Promise<Layer.Layer<A, E, R>>
): Layer.Layer<A, E, R> => Layer.unwrap(Effect.promise(load))

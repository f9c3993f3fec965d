/**
 * The first thing that happens when a process stops: its worker claims nothing any more. The layer
 * built last ends first, so this one goes on top of all others, however long those take to end.
 */
import { Effect, Layer, Option } from "effect"
import { Worker } from "./Worker.ts"

/** Drains the worker of the process, if it has one, when the layer ends. */
export const layer: Layer.Layer<never> = Layer.effectDiscard(
  Effect.flatMap(Effect.serviceOption(Worker), (worker) =>
    Option.match(worker, {
      onNone: () => Effect.void,
      onSome: ({ drain }) => Effect.addFinalizer(() => drain)
    })
  )
)

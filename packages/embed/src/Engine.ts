/** Engines from the doors of this package, as values that hold nothing a host could see. */
import type { Transcriber } from "@verbatim/core/ports"
import type { Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Engine } from "./Options.ts"

/** What an engine may need of the process. */
export type EngineLayer = Layer.Layer<Transcriber, never, SecureRandom.SecureRandom>

const layers = new WeakMap<object, EngineLayer>()

/** Makes an engine of a layer. */
export const toEngine = (layer: EngineLayer): Engine => {
  const engine = Object.freeze({})
  layers.set(engine, layer)
  return engine as Engine
}

/** The layer of an engine; none of another object. */
export const layerOf = (engine: object): EngineLayer | undefined => layers.get(engine)

/** Hides the layers of this package's engines from hosts, so that hosts need no Effect types. */
import type { Transcriber } from "@verbatim/core/ports"
import type { Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Engine } from "./Options.ts"

/** An engine's layer, with the services that it requires. */
export type EngineLayer = Layer.Layer<Transcriber, never, SecureRandom.SecureRandom>

const layers = new WeakMap<object, EngineLayer>()

/** Creates an engine from a layer. */
export const toEngine = (layer: EngineLayer): Engine => {
  const engine = Object.freeze({})
  layers.set(engine, layer)
  return engine as Engine
}

/** Returns an engine's layer, or undefined if the object is not an engine of this package. */
export const layerOf = (engine: object): EngineLayer | undefined => layers.get(engine)

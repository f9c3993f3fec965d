/**
 * What commands without an operation of the API stand on: the store, without media, engines and a
 * way out.
 */
import { OperatorKeys } from "@verbatim/core/services"
import { platform } from "@verbatim/embed/platform"
import { Layer } from "effect"
import type { Configuration } from "./Configuration.ts"
import * as Stores from "./Stores.ts"

/** The store that a configuration names, and the keys of operators in it. */
export const operations = (configuration: Configuration) =>
  OperatorKeys.layer.pipe(
    Layer.provideMerge(Layer.merge(Stores.layer(configuration.database), platform))
  )

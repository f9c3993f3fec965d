/**
 * The wiring diagram below the services: which adapter stands behind which port, in a process with
 * a given configuration. Engines are in `Engines.ts`: commands start earlier without.
 */
import * as Net from "@verbatim/adapters/net"
import { MediaIdentity } from "@verbatim/core/services"
import { settings } from "@verbatim/embed/effect"
import { platform } from "@verbatim/embed/platform"
import { Layer } from "effect"
import type { Configuration } from "./Configuration.ts"
import * as Media from "./Media.ts"
import * as Stores from "./Stores.ts"
import * as Templates from "./Templates.ts"

/**
 * Stores, media, the way out, and the settings. All else stands on this, so that no setting reaches
 * one part of a process and misses another.
 */
export const adapters = (configuration: Configuration) =>
  MediaIdentity.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Stores.layer(configuration.database),
        Media.layer(configuration),
        Net.layer({ allowNetworks: configuration.allowNetworks }),
        platform,
        settings(configuration),
        Templates.layer(configuration)
      )
    )
  )

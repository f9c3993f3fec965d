/**
 * Connects each port to the adapter that the configuration chooses. Engines have their own module,
 * `Engines.ts`, so that commands without an engine start earlier.
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
 * Provides stores, media, outbound requests and settings. All other layers are built on this one,
 * so that each setting reaches all parts of a process.
 */
export const adapters = (configuration: Configuration) =>
  MediaIdentity.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Stores.configured(configuration),
        Media.layer(configuration),
        Net.layer({ allowedNetworks: configuration.allowedNetworks }),
        platform,
        settings(configuration),
        Templates.layer(configuration)
      )
    )
  )

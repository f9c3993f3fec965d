/**
 * Connects each port to an adapter, according to the configuration. Engines have their own module,
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
 * Stores, media, outbound requests and settings. Everything else is built on these layers, so that
 * each setting reaches all parts of a process.
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

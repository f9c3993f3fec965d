/**
 * What the operator's commands stand on: the store and what keeps it, without media, engines and a
 * way out. They start a tenth of a second earlier than with all that `Application.ts` loads.
 */
import { ApiKeys, OperatorKeys, Usage, Workspaces } from "@verbatim/core/services"
import { DefaultRetention } from "@verbatim/core/workspace"
import { Layer } from "effect"
import type { Configuration } from "./Configuration.ts"
import { platform } from "./Platform.ts"
import * as Stores from "./Stores.ts"

/** Only the operator's commands: no media, no engines. */
export const operations = (configuration: Configuration) =>
  Layer.mergeAll(ApiKeys.layer, OperatorKeys.layer, Usage.layer, Workspaces.layer).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Stores.layer(configuration.database),
        Layer.succeed(DefaultRetention, configuration.retention),
        platform
      )
    )
  )

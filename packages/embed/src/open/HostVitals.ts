/** How an embedded Verbatim is doing, for `/health` below its prefix. */
import type { WorkspaceStore } from "@verbatim/core/ports"
import type { MediaIdentity } from "@verbatim/core/services"
import { Health, makeHealthParts } from "@verbatim/http"
import { Effect, Layer } from "effect"

/** Reports the store and the media, and the engine and the worker where there are any. */
export const layer: Layer.Layer<Health, never, MediaIdentity | WorkspaceStore> = Layer.effect(
  Health,
  Effect.map(makeHealthParts, (parts) =>
    Health.of({ report: Effect.all(parts, { concurrency: "unbounded" }) })
  )
)
